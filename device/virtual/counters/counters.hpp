// Counts what the instructions of a launch do. It looks at each instruction before a warp executes
// it, from the warp's registers alone, so that an uncounted launch pays nothing for it.
#pragma once

#include <cstdint>
#include <vector>

#include "device/counters.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {
class Warp;
}

namespace warpcheck::counters {

/// One part of a launch's counts, by the number of the op in the program.
using Counts = std::vector<device::ExecutionCounts>;

/// Either may have no ops yet.
void add(Counts& sum, const Counts& part);

/// What of a program's ops is to be counted. Several host threads may count with it at once, each
/// into counts of its own.
class Counters {
 public:
  explicit Counters(const machine::Program& program);

  /// As many as the program has ops.
  [[nodiscard]] Counts none() const { return Counts(accesses_.size()); }

  /// The warp is about to execute the op with its active lanes; `lanes` came to it.
  void count(Counts& counts, const machine::Warp& warp, const machine::Op& op,
             machine::Mask lanes) const;

  /// By instruction, in the order of the program: of kernels that were launched, and of functions
  /// that are no kernels.
  [[nodiscard]] std::vector<device::InstructionCounts> by_instruction(const Counts& counts) const;

 private:
  /// What an op does to the memory that its operand 0 leads to.
  struct Access {
    std::uint8_t bytes = 0;  // of a lane; 0: nothing that is counted
    bool load = false;
    bool fetch = false;                        // the half of an asynchronous copy that reads
    machine::Mask lanes = machine::kAllLanes;  // that name an address
    bool matrix = false;                       // wmma.load and wmma.store
  };

  [[nodiscard]] static Access access_of(const ptx::Instruction& instruction, const machine::Op& op);
  static void count_access(device::ExecutionCounts& counts, const machine::Warp& warp,
                           const machine::Op& op, Access access);
  static void count_matrix(device::ExecutionCounts& counts, const machine::Warp& warp,
                           const machine::Op& op, bool load);

  const machine::Program& program_;
  std::vector<Access> accesses_;  // of each op
};

}  // namespace warpcheck::counters
