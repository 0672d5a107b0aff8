// Finds the barrier that is missing between the two accesses of a race.
#pragma once

#include <optional>
#include <vector>

#include "device/finding.hpp"
#include "device/virtual/checks/shadow.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// The barrier that is missing between two accesses of a block, in the order in which the program
/// contains them. Threads may execute them in any order. `findings` are those of the block so far.
[[nodiscard]] MissingOrder missing_barrier(const Program& program,
                                           const std::vector<Finding>& findings,
                                           const checks::Conflict& conflict);

/// The barrier that is missing between two accesses of different blocks although a flag
/// synchronises other threads of these blocks; empty if no flag does. The clocks are those of the
/// second block.
[[nodiscard]] std::optional<MissingOrder> barrier_beside_flag(const Program& program,
                                                              const checks::BlockClocks& clocks,
                                                              const checks::Conflict& conflict);

}  // namespace warpcheck::machine
