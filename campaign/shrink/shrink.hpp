// Shrinks a case that fails to a small one that fails in the same way.
#pragma once

#include <cstdint>
#include <functional>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::shrink {

struct ShrinkLimits {
  std::int64_t attempts = 400;              // cases tried
  std::function<bool()> is_exhausted = {};  // another limit, which ends the search; null: none
  /// Also tries the smallest case of a product with other data, which need not be simpler, and if
  /// one passes, smaller cases with other data.
  bool tries_other_data = false;

  /// Returns true if no further case may be tried.
  [[nodiscard]] bool reached(std::int64_t attempted) const {
    return attempted >= attempts || (is_exhausted && is_exhausted());
  }
};

/// Returns true if a case, which is in the domain, produces the finding that is being shrunk.
using StillFails = std::function<bool(const Case&)>;

/// Shrinks greedily to a fixpoint: smaller sizes (0, 1, ..., multiples of the tiles and their
/// neighbours, halves, one less), several sizes at once, a smaller batch, no transposes, tight
/// strides, no offsets, alpha = 1, beta = 0, the simplest recipe, a small seed, and smaller sizes
/// with other data. A candidate outside the domain is projected onto it. Each accepted case has a
/// smaller measure than the one before, so that shrinking terminates.
[[nodiscard]] Case shrink(const contract::Contract& contract, const Case& failing,
                          const StillFails& fails, const ShrinkLimits& limits);

}  // namespace warpcheck::campaign::shrink
