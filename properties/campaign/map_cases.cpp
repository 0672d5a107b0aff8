#include "properties/campaign/map_cases.hpp"

#include <algorithm>
#include <cstdint>

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

}  // namespace

std::vector<Case> cases_to_map(const contract::Contract& contract, const Case& failing) {
  if (contract.tensors != nullptr) return {failing};
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

}  // namespace warpcheck::properties::campaign
