#include "properties/campaign/map_cases.hpp"

#include <algorithm>
#include <cstdint>

#include "properties/judge/error_map.hpp"

namespace warpcheck::properties::campaign {
namespace {

constexpr std::int64_t kLeast = 16;  // elements in which a pattern can be seen
constexpr std::int64_t kSmall = 32;  // a tile of which there is room for two

struct Axis {
  std::int64_t drawn;
  std::int64_t tile;

  [[nodiscard]] bool too_small() const { return drawn <= tile; }
  [[nodiscard]] std::int64_t whole() const { return tile <= kSmall ? 2 * tile : tile; }
  [[nodiscard]] std::int64_t beyond() const { return whole() + tile / 2 + 1; }
};

Case grown(const Case& drawn, std::int64_t m, std::int64_t n) {
  Case problem = drawn;
  problem.m = m;
  problem.n = n;
  problem.lda = problem.ldb = problem.ldc = 0;
  problem.stride_a = problem.stride_b = problem.stride_c = 0;
  return problem;
}

}  // namespace

std::vector<Case> cases_to_map(const contract::Contract& contract, const Case& drawn) {
  const judge::Tile tile = judge::output_tile(contract, drawn);
  const Axis down{drawn.m, std::max(tile.rows, kLeast)};
  const Axis across{drawn.n, std::max(tile.columns, kLeast)};
  std::vector<Case> cases;
  if (down.too_small() || across.too_small()) {
    cases.push_back(grown(drawn, down.beyond(), across.beyond()));
    cases.push_back(grown(drawn, down.too_small() ? down.beyond() : drawn.m,
                          across.too_small() ? across.beyond() : drawn.n));
    cases.push_back(grown(drawn, down.whole(), across.whole()));
  }
  cases.push_back(drawn);
  return cases;
}

}  // namespace warpcheck::properties::campaign
