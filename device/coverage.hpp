// Control-flow coverage of a job. Job::cover requests it; Outcome::coverage holds it. Instructions
// are identified by their number in the program; Program::place() returns the line of a number.
#pragma once

#include <cstdint>
#include <vector>

namespace warpcheck::device {

/// The start of an edge that enters a kernel or function.
inline constexpr std::uint32_t kEntry = ~std::uint32_t{0};

/// An edge from the last instruction of a basic block to the first of another. Among the edges of a
/// conditional branch, the edge to the next instruction comes first.
struct CoveredEdge {
  std::uint32_t from = kEntry;
  std::uint32_t to = 0;
  std::uint64_t warps = 0;      // executions in which at least one thread took the edge
  std::uint64_t divergent = 0;  // executions in which other threads of the warp took another edge

  friend bool operator==(const CoveredEdge&, const CoveredEdge&) = default;
};

/// A basic block: its instructions are executed together, unless the warp exits or faults.
struct CoveredBlock {
  std::uint32_t first = 0;
  std::uint32_t instructions = 0;
  std::uint64_t warps = 0;  // executions of the first instruction

  friend bool operator==(const CoveredBlock&, const CoveredBlock&) = default;
};

/// The values of a predicate at the instruction that computes it, or at an instruction other than a
/// branch that it guards.
struct CoveredCondition {
  std::uint32_t at = 0;
  std::uint64_t held = 0;    // executions in which it was true for at least one thread
  std::uint64_t failed = 0;  // executions in which it was false for at least one thread

  friend bool operator==(const CoveredCondition&, const CoveredCondition&) = default;
};

/// Coverage of the launched kernels and of all device functions, in the order of the program. Code
/// that was not reached has zero counts.
struct Coverage {
  std::vector<CoveredBlock> blocks;
  std::vector<CoveredEdge> edges;
  std::vector<CoveredCondition> conditions;
};

}  // namespace warpcheck::device
