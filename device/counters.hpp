// Execution counts of the instructions of a job. Job::count requests them; Outcome::counts holds
// them.
#pragma once

#include <cstdint>

#include "device/finding.hpp"

namespace warpcheck::device {

/// Sums over the executions of an instruction. Each execution by a warp counts, even if all lanes
/// are predicated off, as in the executed instructions of Nsight Compute.
struct ExecutionCounts {
  std::uint64_t warps = 0;          // executions
  std::uint64_t threads = 0;        // lanes that reached the instruction
  std::uint64_t predicated_on = 0;  // lanes that executed the instruction

  // The next three fields count executions of a conditional branch.
  std::uint64_t taken = 0;      // executions in which at least one thread took it
  std::uint64_t not_taken = 0;  // executions in which at least one thread did not
  std::uint64_t divergent = 0;  // executions in which some threads took it and others did not

  // Accesses to global memory. A request is an execution with at least one active thread; a sector
  // is an aligned range of 32 bytes that a request accesses. `global_ideal` is the number of
  // sectors if the accessed bytes were contiguous.
  std::uint64_t global_requests = 0;
  std::uint64_t global_sectors = 0;
  std::uint64_t global_ideal = 0;

  // Accesses to shared memory. The hardware processes a request in parts; each part takes as many
  // wavefronts as its busiest bank has words. Without bank conflicts a request takes
  // `shared_ideal`.
  std::uint64_t shared_requests = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_ideal = 0;

  ExecutionCounts& operator+=(const ExecutionCounts& other);
};

/// The counts of one PTX instruction. The counts of another run are added as further executions.
struct InstructionCounts : ExecutionCounts {
  SourcePlace source;
  unsigned operations = 0;   // floating-point operations of one thread: 2 for a fused multiply-add
  bool conditional = false;  // the instruction is a conditional branch
};

}  // namespace warpcheck::device
