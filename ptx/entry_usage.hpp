// Facts about one entry of a PTX text that its tokens show, for readers that need no module.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpcheck::ptx {

struct EntryUsage {
  unsigned thread_axes = 1;  // 1, 2 or 3: the last axis of %tid that it reads
  unsigned block_axes = 1;   // 1, 2 or 3: the last axis of %ctaid that it reads
  bool block_index = false;  // reads %ctaid
  bool block_size = false;   // reads %ntid
  bool dynamic_shared = false;
  bool tensor_cores = false;     // mma or wmma
  bool tf32 = false;             // mma with operands of type tf32
  bool fp8 = false;              // mma with operands of type e4m3 or e5m2
  bool half_arithmetic = false;  // adds or multiplies in f16 or bf16
  bool atomic_sums = false;      // atomic additions of floating-point numbers in global memory
  std::optional<std::int64_t> most_threads;  // the product of .maxntid
};

/// Searches from the entry to the next function. If the entry calls functions, their text counts
/// too. Never throws; an entry that the text does not have uses nothing.
[[nodiscard]] EntryUsage entry_usage(std::string_view text, std::string_view entry);

}  // namespace warpcheck::ptx
