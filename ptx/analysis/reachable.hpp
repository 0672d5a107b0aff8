// Code that no launch of a kernel can reach, for any content of memory. A compiler keeps such code
// if it has neither the shape of the blocks nor the parameters that are the same in every launch.
#pragma once

#include <array>
#include <compare>
#include <set>
#include <vector>

#include "ptx/analysis/integer_value.hpp"
#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

using BlockShape = std::array<unsigned, 3>;

/// The known properties of a launch.
struct LaunchForm {
  BlockShape block{1, 1, 1};
  std::vector<Value> parameters;  // bits, in order; omitted ones at the end are unknown

  friend auto operator<=>(const LaunchForm&, const LaunchForm&) = default;
};

/// Returns one value for each instruction of a kernel's body: true if a thread of a launch of one
/// of these forms may reach it. The analysis is conditional constant propagation (Wegman and
/// Zadeck, 1991): it follows the values that each thread computes from its position in the block,
/// from known parameters and from constants, and skips branches that these values exclude. If the
/// values determine nothing, both directions count as possible, so false is a proof.
[[nodiscard]] std::vector<bool> may_be_reached(const Function& kernel,
                                               const std::set<LaunchForm>& forms);

}  // namespace warpcheck::ptx::analysis
