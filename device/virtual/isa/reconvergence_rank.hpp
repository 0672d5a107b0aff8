// The order in which lanes that took different ways run, so that they meet again.
#pragma once

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::isa {

/// Marks the first op of every basic block and ranks all ops: along any path that does not go
/// around a loop ranks rise, and a loop's ops rank together before whatever follows the loop.
/// Running the lanes of the lowest rank first thus lets those of a branch meet at its immediate
/// post-dominator. (A weak topological order: Bourdoncle, FMPA 1993.)
void rank_for_reconvergence(machine::FunctionCode& code);

}  // namespace warpcheck::isa
