#include "properties/campaign/hint_model.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "properties/judge/error_map.hpp"

namespace warpcheck::properties::campaign {
namespace {

constexpr std::int64_t kLeast = 16;  // elements that show a pattern
constexpr std::int64_t kSmall = 32;  // a tile for which two fit on the map

struct Extent {
  std::int64_t size;
  std::int64_t tile;

  [[nodiscard]] bool too_small() const { return size <= tile; }
  [[nodiscard]] std::int64_t whole() const { return tile <= kSmall ? 2 * tile : tile; }
  [[nodiscard]] std::int64_t beyond() const { return whole() + tile / 2 + 1; }
};

Case with_extents(const Case& failing, std::int64_t m, std::int64_t n) {
  Case problem = failing;
  problem.m = m;
  problem.n = n;
  problem.lda = problem.ldb = problem.ldc = 0;
  problem.stride_a = problem.stride_b = problem.stride_c = 0;
  return problem;
}

/// The name of the distance between two lines of a matrix: "lda", or "k" if A is always tight.
std::string_view leading_name(const contract::Contract& contract, const Case& problem,
                              const Placement& place) {
  using contract::ArgumentWord;
  const bool by_rows = place.layout == contract::Layout::row;
  if (place.name == "A") {
    if (contract.takes(ArgumentWord::lda)) return "lda";
    return by_rows != problem.ta ? "k" : "m";
  }
  if (place.name == "B") {
    if (contract.takes(ArgumentWord::ldb)) return "ldb";
    return by_rows != problem.tb ? "n" : "k";
  }
  if (contract.takes(ArgumentWord::ldc)) return "ldc";
  return by_rows ? "n" : "m";
}

class MatrixHintModel final : public HintModel {
 public:
  std::vector<Case> cases_to_map(const contract::Contract& contract,
                                 const Case& failing) const override {
    const judge::Tile tile = judge::output_tile(contract, failing);
    const Extent down{failing.m, std::max(tile.rows, kLeast)};
    const Extent across{failing.n, std::max(tile.columns, kLeast)};
    std::vector<Case> cases;
    if (down.too_small() || across.too_small()) {
      cases.push_back(with_extents(failing, down.beyond(), across.beyond()));
      cases.push_back(with_extents(failing, down.too_small() ? down.beyond() : failing.m,
                                   across.too_small() ? across.beyond() : failing.n));
      cases.push_back(with_extents(failing, down.whole(), across.whole()));
    }
    cases.push_back(failing);
    return cases;
  }

  Names names(const contract::Contract& contract, const Case& problem,
              const Placement& place) const override {
    const auto letter = static_cast<char>(std::tolower(place.name.front()));
    return {std::string(1, letter), std::string(leading_name(contract, problem, place))};
  }
};

}  // namespace

const HintModel& HintModel::of_matrices() {
  static const MatrixHintModel kModel;
  return kModel;
}

}  // namespace warpcheck::properties::campaign
