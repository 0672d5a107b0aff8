// The small cases that shrinking tries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "campaign/case/case.hpp"

namespace warpcheck::campaign::shrink {

struct SmallCase {
  std::vector<std::int64_t> sizes;  // one size for each extent, at least 1
  Recipe data = Recipe::lattice;
  std::uint64_t seed = 0;
};

/// Cases whose extents have a sum below `sum`, the least sums first, each with lattice, normal and
/// `data`, and with some seeds. If there are few of them, the same follow with further seeds:
/// always the same number of cases, unless no sum is small enough.
[[nodiscard]] std::vector<SmallCase> small_cases(std::size_t extents, std::int64_t sum,
                                                 Recipe data);

}  // namespace warpcheck::campaign::shrink
