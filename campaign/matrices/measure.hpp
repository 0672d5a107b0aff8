// The order in which cases are simpler.
#pragma once

#include <cstdint>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::shrink {

/// The complexity of a case. The members are compared in their order.
struct Measure {
  std::int64_t sizes = 0;         // m + n + k + batch
  std::int64_t largest_size = 0;  // the largest of m, n, k and batch
  int transposes = 0;
  std::int64_t padding = 0;  // elements by which leading dimensions and batch strides are not tight
  std::int64_t offsets = 0;
  int factors = 0;  // 0 for alpha = 1 and beta = 0
  Recipe data = Recipe::lattice;
  std::uint64_t seed = 0;

  friend auto operator<=>(const Measure&, const Measure&) = default;
};

[[nodiscard]] Measure measure(const contract::Contract& contract, const Case& problem);

}  // namespace warpcheck::campaign::shrink
