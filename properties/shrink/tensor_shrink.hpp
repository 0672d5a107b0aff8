// Shrinks a case of an operation of the language.
#pragma once

#include "properties/shrink/shrink.hpp"

namespace warpcheck::properties::shrink {

/// Shrinks greedily to a fixpoint: smaller extents, several at once, tight strides, no offsets,
/// scalars of 1, the simplest recipe, a small seed. Candidates outside the domain are left out.
[[nodiscard]] Case shrink_tensors(const contract::Contract& contract, const Case& failing,
                                  const StillFails& fails, const ShrinkLimits& limits);

}  // namespace warpcheck::properties::shrink
