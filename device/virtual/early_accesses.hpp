// Findings of a kernel that accesses memory before griddepcontrol.wait while the kernel launched
// before it, which has not completed, uses this memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/finding.hpp"
#include "device/virtual/checks/global_races.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::device {

/// An allocation that the kernel launched before uses.
struct SharedWithPredecessor {
  std::uint64_t address = 0;
  std::string name;
  std::size_t element_bytes = 1;
  bool is_written = false;  // false: the kernel launched before only reads it
};

/// One race for each instruction and allocation, in the order of the allocations.
[[nodiscard]] std::vector<Finding> early_accesses(const machine::Program& program,
                                                  const checks::GlobalRaces& races,
                                                  const std::vector<SharedWithPredecessor>& shared);

}  // namespace warpcheck::device
