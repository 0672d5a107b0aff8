// Notes which ways warps go: the edges between basic blocks, and what predicates came to. A launch
// that nobody covers pays nothing for it.
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

/// The sums of one op.
struct OpCoverage {
  std::uint64_t came = 0;    // executions, of an op that begins or ends a basic block
  std::uint64_t held = 0;    // of a branch: taken by some thread; of a condition: true for some
  std::uint64_t failed = 0;  // of a branch: not taken by some thread; of a condition: false
  std::uint64_t both = 0;

  OpCoverage& operator+=(const OpCoverage& other);
};

/// One part of a launch's coverage. Without ops: nothing is covered.
struct Covered {
  std::vector<OpCoverage> ops;  // by the number of the op in the program
  // Of branches by a table: how often some threads (`held`) and all but some (`both`) went to a
  // target, by the numbers of the op and its target.
  std::map<std::pair<std::uint32_t, std::uint32_t>, OpCoverage> tables;

  Covered& operator+=(const Covered& other);

  /// A warp is about to execute the op; `lanes` came to it.
  void note(const machine::Warp& warp, const machine::Op& op, machine::Mask lanes);
  /// It has executed the op, and goes on with the next.
  void note_result(const machine::Warp& warp, const machine::Op& op);
};

/// As many as the program has ops.
[[nodiscard]] Covered nothing_covered(const machine::Program& program);

[[nodiscard]] device::Coverage coverage_of(const machine::Program& program, const Covered& covered);

}  // namespace warpcheck::counters
