// Which ways the warps of a job went: asked for by Job::cover, carried by Outcome::coverage.
// Instructions are told by their number in the program, which Program::place() leads to a line.
#pragma once

#include <cstdint>
#include <vector>

namespace warpcheck::device {

/// In place of the instruction that an edge leaves from: the kernel or function begins.
inline constexpr std::uint32_t kEntry = ~std::uint32_t{0};

/// From the last instruction of a basic block to the first of another. Every block that can be
/// reached begins where some edge ends, and its instructions are numbered on from there: they were
/// executed as often as all edges to it together, but by warps that had ended or faulted by then.
struct CoveredEdge {
  std::uint32_t from = kEntry;
  std::uint32_t to = 0;
  std::uint64_t warps = 0;      // executions in which some thread went this way
  std::uint64_t divergent = 0;  // of those: with other threads that went another way

  friend bool operator==(const CoveredEdge&, const CoveredEdge&) = default;
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
  std::vector<CoveredEdge> edges;
  std::vector<CoveredCondition> conditions;
};

}  // namespace warpcheck::device
