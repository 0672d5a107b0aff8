// Records the control-flow coverage of a launch: the edges between basic blocks, and the values of
// predicates.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "device/coverage.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {
class Warp;
}

namespace warpcheck::counters {

/// The coverage of one op.
struct OpCoverage {
  std::uint64_t executed = 0;  // executions of an op that begins or ends a basic block
  std::uint64_t held = 0;      // a branch was taken, or a condition was true, for some thread
  std::uint64_t failed = 0;    // a branch was not taken, or a condition was false, for some thread
  // Executions in which some threads count as `held` and others as `failed`.
  std::uint64_t both = 0;

  OpCoverage& operator+=(const OpCoverage& other);
};

/// A part of a launch's coverage. It has no ops if no coverage is recorded.
struct Covered {
  std::vector<OpCoverage> ops;  // indexed by the number of the op in the program
  // Targets of brx.idx, by the number of the op and the number of the target: executions in which
  // some threads (`held`), or some but not all threads (`both`), took the target.
  std::map<std::pair<std::uint32_t, std::uint32_t>, OpCoverage> tables;

  Covered& operator+=(const Covered& other);

  /// Records an op that a warp is about to execute; `lanes` have reached it.
  void note(const machine::Warp& warp, const machine::Op& op, machine::Mask lanes);
  /// Records the result of an op that the warp has executed.
  void note_result(const machine::Warp& warp, const machine::Op& op);
};

/// Zero coverage of each op of the program.
[[nodiscard]] Covered nothing_covered(const machine::Program& program);

[[nodiscard]] device::Coverage coverage_of(const machine::Program& program, const Covered& covered);

}  // namespace warpcheck::counters
