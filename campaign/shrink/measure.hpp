// The order in which cases are simpler.
#pragma once

#include <cstdint>

#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::shrink {

/// The complexity of a case. The members are compared in their order.
struct Measure {
  std::int64_t sizes = 0;         // the extents and the batch
  std::int64_t largest_size = 0;  // the largest of them
  int transposes = 0;
  std::int64_t padding = 0;  // elements by which leading dimensions and batch strides are not tight
  std::int64_t offsets = 0;
  int factors = 0;  // 0 if all are the usual ones, as alpha = 1 and beta = 0
  Recipe data = Recipe::lattice;
  std::uint64_t seed = 0;

  friend auto operator<=>(const Measure&, const Measure&) = default;
};

[[nodiscard]] Measure measure(const contract::Contract& contract, const CaseSchema& schema,
                              const Case& problem);

/// Returns the elements by which a stride is larger than necessary. It can be negative for the
/// batch stride of a single matrix.
[[nodiscard]] std::int64_t padding(const contract::Contract& contract, const CaseField& stride,
                                   const Case& problem);

}  // namespace warpcheck::campaign::shrink
