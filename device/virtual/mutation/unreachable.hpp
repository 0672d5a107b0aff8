// Code that a kernel's launches cannot come to, whatever its parameters and memory hold: what a
// compiler leaves in that knows nothing of the shape of the blocks.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "device/virtual/ptx/module.hpp"

namespace warpcheck::mutation {

using BlockShape = std::array<unsigned, 3>;

/// By instruction of a kernel's body: whether some thread of a block of one of these shapes may
/// come to it. Follows what each thread computes from its place in the block and from constants
/// alone, and takes no branch that this decides against (conditional constant propagation: Wegman
/// and Zadeck, 1991). Where it decides nothing, both ways are open, so that false is a proof.
[[nodiscard]] std::vector<bool> may_be_reached(const ptx::Function& kernel,
                                               const std::set<BlockShape>& shapes);

}  // namespace warpcheck::mutation
