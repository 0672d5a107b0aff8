// Facts about a PTX instruction, for readers that do not parse its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpcheck::device {

enum class InstructionKind : std::uint8_t {
  fp32,
  fp64,
  fp16,     // includes bf16
  special,  // functions that the special function unit approximates, divisions, roots
  integer,  // integer arithmetic and logic
  conversion,
  comparison,  // comparison or selection
  move,
  load,
  store,
  copy,  // asynchronous copy from global to shared memory
  atomic,
  exchange,  // exchange between the lanes of a warp
  barrier,   // barrier or fence
  control,
  tensor,  // product of matrices
  other,
};

/// "fp32", "load" ...
[[nodiscard]] std::string_view name(InstructionKind kind);

/// The mechanism by which an asynchronous instruction completes (PTX ISA 9.7.9.25, 9.7.15).
enum class Completion : std::uint8_t {
  none,             // the instruction is not asynchronous
  copy_group,       // cp.async: a group of copies of a thread
  bulk_group,       // cp.async.bulk: a group of bulk copies of a thread
  mbarrier,         // cp.async.bulk, st.async, red.async: the phase of an mbarrier
  warpgroup_group,  // wgmma.mma_async: a group of products of a warpgroup
};
inline constexpr Completion kLastCompletion = Completion::warpgroup_group;

struct InstructionFacts {
  InstructionKind kind = InstructionKind::other;
  Completion completion = Completion::none;
  unsigned vector = 1;     // elements of an access
  bool read_only = false;  // a load through a cache that is not coherent: ld.global.nc, ldu
  bool has_table = false;  // a branch to one of a table of targets: brx.idx
  std::string callee;      // the function that a direct call names

  friend bool operator==(const InstructionFacts&, const InstructionFacts&) = default;
};

}  // namespace warpcheck::device
