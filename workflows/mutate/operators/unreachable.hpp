// Code that a kernel's launches cannot come to, whatever its memory holds: what a compiler leaves
// in that knows neither the shape of the blocks nor the parameters that are the same in every
// launch.
#pragma once

#include <array>
#include <compare>
#include <set>
#include <vector>

#include "ptx/module.hpp"
#include "workflows/mutate/operators/integer_value.hpp"

namespace warpcheck::workflows::mutate::operators {

using BlockShape = std::array<unsigned, 3>;

/// What is known of a launch.
struct LaunchForm {
  BlockShape block{1, 1, 1};
  std::vector<Value> parameters;  // their bits, in order; those left out at the end are not known

  friend auto operator<=>(const LaunchForm&, const LaunchForm&) = default;
};

/// By instruction of a kernel's body: whether some thread of a launch of one of these forms may
/// come to it. Follows what each thread computes from its place in the block, from known parameters
/// and from constants alone, and takes no branch that this decides against (conditional constant
/// propagation: Wegman and Zadeck, 1991). Where it decides nothing, both ways are open, so that
/// false is a proof.
[[nodiscard]] std::vector<bool> may_be_reached(const ptx::Function& kernel,
                                               const std::set<LaunchForm>& forms);

}  // namespace warpcheck::workflows::mutate::operators
