// Counts the executions of the instructions of a launch, their branches and their accesses to
// memory. It computes the counts of an instruction from the warp's registers before the warp
// executes it.
#pragma once

#include <cstdint>
#include <vector>

#include "device/counters.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {
class Warp;
}

namespace warpcheck::counters {

/// Counts, indexed by the number of the op in the program.
using Counts = std::vector<device::ExecutionCounts>;

/// Adds `part` to `sum`. Both may be empty.
void add(Counts& sum, const Counts& part);

/// Counts a bulk copy of `bytes` of global memory.
void count_transfer(Counts& counts, const machine::Op& op, std::uint64_t bytes);

/// The counters of a program. Several host threads may call count() at once, each with its own
/// counts.
class Counters {
 public:
  explicit Counters(const machine::Program& program);

  /// Returns counts of zero for each op of the program.
  [[nodiscard]] Counts none() const { return Counts(accesses_.size()); }

  /// Counts an op that the warp is about to execute with its active lanes; `lanes` have reached it.
  void count(Counts& counts, const machine::Warp& warp, const machine::Op& op,
             machine::Mask lanes) const;

  /// The counts by instruction, in the order of the program, of the launched kernels and of all
  /// device functions.
  [[nodiscard]] std::vector<device::InstructionCounts> by_instruction(const Counts& counts) const;

 private:
  /// The access of an op to the memory at its operand kAddress.
  struct Access {
    std::uint8_t bytes = 0;  // bytes of one lane; 0: the access is not counted
    bool load = false;
    bool fetch = false;                        // the op is the reading part of an asynchronous copy
    machine::Mask lanes = machine::kAllLanes;  // lanes that have an address
    bool matrix = false;                       // the op is wmma.load or wmma.store
  };

  [[nodiscard]] static Access access_of(const ptx::Instruction& instruction, const machine::Op& op);
  static void count_access(device::ExecutionCounts& counts, const machine::Warp& warp,
                           const machine::Op& op, Access access);
  static void count_matrix(device::ExecutionCounts& counts, const machine::Warp& warp,
                           const machine::Op& op, bool load);

  const machine::Program& program_;
  std::vector<Access> accesses_;  // one entry for each op
};

}  // namespace warpcheck::counters
