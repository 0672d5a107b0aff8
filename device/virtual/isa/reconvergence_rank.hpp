// The order in which diverged lanes run, so that they reconverge.
#pragma once

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::isa {

/// Marks the first op of every basic block and ranks all ops. Ranks increase along every path that
/// does not repeat a loop, and the ops of a loop have consecutive ranks, below the code after the
/// loop. If the lanes of the lowest rank run first, the lanes of a branch therefore reconverge at
/// its immediate post-dominator. (A weak topological order: Bourdoncle, FMPA 1993.)
void rank_for_reconvergence(machine::FunctionCode& code);

}  // namespace warpcheck::isa
