// Which ways the warps of a job went: asked for by Job::cover, carried by Outcome::coverage.
// Instructions are told by their number in the program, which Program::place() leads to a line.
#pragma once

#include <cstdint>
#include <vector>

namespace warpcheck::device {

/// In place of the instruction that an edge leaves from: the kernel or function begins.
inline constexpr std::uint32_t kEntry = ~std::uint32_t{0};

/// From the last instruction of a basic block to the first of another. Of the edges that leave a
/// conditional branch, that to the next instruction comes first.
struct CoveredEdge {
  std::uint32_t from = kEntry;
  std::uint32_t to = 0;
  std::uint64_t warps = 0;      // executions in which some thread went this way
  std::uint64_t divergent = 0;  // of those: with other threads that went another way

  friend bool operator==(const CoveredEdge&, const CoveredEdge&) = default;
};

/// Instructions that are executed together, but by warps that end or fault among them.
struct CoveredBlock {
  std::uint32_t first = 0;
  std::uint32_t instructions = 0;
  std::uint64_t warps = 0;  // executions of the first; warps that meet there are one again

  friend bool operator==(const CoveredBlock&, const CoveredBlock&) = default;
};

/// A predicate, where it is computed, and where it guards an instruction that is no branch.
struct CoveredCondition {
  std::uint32_t at = 0;
  std::uint64_t held = 0;    // executions in which it held for some thread
  std::uint64_t failed = 0;  // executions in which it did not

  friend bool operator==(const CoveredCondition&, const CoveredCondition&) = default;
};

/// Of the kernels that were launched and of functions that are no kernels, in the order of the
/// program; what was not reached is there, with zeros.
struct Coverage {
  std::vector<CoveredBlock> blocks;
  std::vector<CoveredEdge> edges;
  std::vector<CoveredCondition> conditions;
};

}  // namespace warpcheck::device
