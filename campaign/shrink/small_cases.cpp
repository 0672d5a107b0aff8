#include "campaign/shrink/small_cases.hpp"

#include <set>

namespace warpcheck::campaign::shrink {
namespace {

constexpr std::size_t kCases = 320;
constexpr std::uint64_t kSeeds = 6;  // seeds of each recipe in one pass over all sizes

using Sizes = std::vector<std::int64_t>;

/// Continues `sizes` to those of `extents` in each way in which the further ones have this sum.
void append_sizes(const Sizes& sizes, std::size_t extents, std::int64_t sum,
                  std::vector<Sizes>& found) {
  if (found.size() >= kCases) return;
  if (sizes.size() == extents) {
    found.push_back(sizes);
    return;
  }
  const auto others = static_cast<std::int64_t>(extents - sizes.size() - 1);
  for (std::int64_t size = others == 0 ? sum : 1; size <= sum - others; ++size) {
    Sizes longer = sizes;
    longer.push_back(size);
    append_sizes(longer, extents, sum - size, found);
  }
}

}  // namespace

std::vector<SmallCase> small_cases(std::size_t extents, std::int64_t sum, Recipe data) {
  std::vector<Sizes> all_sizes;
  for (auto case_sum = static_cast<std::int64_t>(extents); case_sum < sum; ++case_sum) {
    if (all_sizes.size() >= kCases) break;
    append_sizes({}, extents, case_sum, all_sizes);
  }
  std::vector<SmallCase> cases;
  for (std::uint64_t first = 0; !all_sizes.empty() && cases.size() < kCases; first += kSeeds) {
    for (const Sizes& sizes : all_sizes) {
      for (const Recipe recipe : std::set{Recipe::lattice, Recipe::normal, data}) {
        for (std::uint64_t seed = first; seed < first + kSeeds; ++seed) {
          if (cases.size() < kCases) cases.push_back({sizes, recipe, seed});
        }
      }
    }
  }
  return cases;
}

}  // namespace warpcheck::campaign::shrink
