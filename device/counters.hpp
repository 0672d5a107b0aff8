// What the instructions of a job did, counted: asked for by Job::count, carried by Outcome::counts.
#pragma once

#include <cstdint>
#include <string_view>

#include "device/finding.hpp"

namespace warpcheck::device {

enum class InstructionKind : std::uint8_t {
  fp32,
  fp64,
  fp16,     // and bf16
  special,  // functions that the multi-function unit approximates, divisions, roots
  integer,  // and logic
  conversion,
  comparison,  // and selection
  move,
  load,
  store,
  copy,  // asynchronous, from global to shared memory
  atomic,
  exchange,  // between the lanes of a warp
  barrier,   // and fences
  control,
  tensor,  // products of matrices
  other,
};

/// "fp32", "load" ...
[[nodiscard]] std::string_view name(InstructionKind kind);

/// What the executions of an instruction came to. Warps are counted at each execution, as Nsight
/// Compute counts executed instructions: one that all lanes are predicated off from is executed
/// too.
struct ExecutionCounts {
  std::uint64_t warps = 0;          // executions
  std::uint64_t threads = 0;        // lanes that came to it
  std::uint64_t predicated_on = 0;  // of those, lanes that executed it

  // Of a branch that threads may take or not.
  std::uint64_t taken = 0;      // executions in which some thread took it
  std::uint64_t not_taken = 0;  // executions in which some thread did not
  std::uint64_t divergent = 0;  // both

  // Accesses to global memory: requests are executions that some thread took part in; sectors are
  // the aligned 32 bytes that a request touches. `global_ideal` would hold what the threads ask for
  // if it lay together.
  std::uint64_t global_requests = 0;
  std::uint64_t global_sectors = 0;
  std::uint64_t global_ideal = 0;

  // Accesses to shared memory: a request takes as many wavefronts as its busiest bank needs, for
  // each of the parts that it is carried out in. Without bank conflicts it takes `shared_ideal`.
  std::uint64_t shared_requests = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_ideal = 0;

  ExecutionCounts& operator+=(const ExecutionCounts& other);
};

/// One PTX instruction. What another run of it counted is added as executions.
struct InstructionCounts : ExecutionCounts {
  SourcePlace source;
  InstructionKind kind = InstructionKind::other;
  unsigned operations = 0;   // floating-point operations of one thread: 2 for a fused multiply-add
  bool conditional = false;  // a branch that threads may take or not
};

}  // namespace warpcheck::device
