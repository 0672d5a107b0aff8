// From a case that fails to the smallest one that fails the same way.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties::shrink {

struct ShrinkLimits {
  std::chrono::steady_clock::time_point deadline;
  std::int64_t attempts = 400;  // cases tried
};

/// Whether a case, which lies in the domain, shows the finding that is being shrunk.
using StillFails = std::function<bool(const Case&)>;

/// Greedy to a fixpoint, on the description: smaller sizes (0, 1, ..., multiples of the tiles and
/// their neighbours, halves, one less), sizes moved together, tight leading dimensions, no offsets,
/// alpha = 1, beta = 0, the simplest recipe, a small seed. A candidate outside the domain is
/// replaced by the nearest one inside. Every accepted case is simpler than the one before, so that
/// it ends.
[[nodiscard]] Case shrink(const contract::Contract& contract, const Case& failing,
                          const StillFails& fails, const ShrinkLimits& limits);

}  // namespace warpcheck::properties::shrink
