// Shrinks a case that fails to a small one that fails in the same way.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::shrink {

struct ShrinkLimits {
  std::int64_t attempts = 400;              // cases tried
  std::function<bool()> is_exhausted = {};  // another limit, which ends the search; null: none
  bool tries_other_data = false;            // the failure may depend on the elements

  /// Returns true if no further case may be tried.
  [[nodiscard]] bool reached(std::int64_t attempted) const {
    return attempted >= attempts || (is_exhausted && is_exhausted());
  }
};

/// Returns true if a case, which is in the domain, produces the finding that is being shrunk.
using StillFails = std::function<bool(const Case&)>;

/// Shrinks greedily to a fixpoint: smaller sizes (0, 1, ..., multiples of the tiles and their
/// neighbours, halves, one less), several sizes at once, a smaller batch, no transposes, tight
/// strides, no offsets, the usual factors, the simplest recipe, a small seed, and if the failure
/// may depend on the elements, small sizes with other data. A candidate outside the domain is
/// projected onto it. Each accepted case has a smaller measure than the one before, so that
/// shrinking terminates.
[[nodiscard]] Case shrink(const contract::Contract& contract, const Case& failing,
                          const StillFails& fails, const ShrinkLimits& limits);

/// Returns the cases of the domain that shrinking tries first for this case, in its order.
[[nodiscard]] std::vector<Case> simpler_cases(const contract::Contract& contract,
                                              const Case& problem);

/// A case with one of its sizes changed to a degenerate one, with which many features of a failure
/// cannot be distinguished: no terms, one row, one column.
struct DegenerateCase {
  Case problem;
  bool same_outputs = false;  // the extents of the outputs are unchanged
};

/// Returns the case `failing` with each degenerate size of the candidate alone that it has not
/// itself. The same size has the same place in each result; the others are empty.
[[nodiscard]] std::vector<std::optional<DegenerateCase>> degenerate_cases(
    const contract::Contract& contract, const Case& failing, const Case& candidate);

}  // namespace warpcheck::campaign::shrink
