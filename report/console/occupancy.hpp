// How many blocks of a kernel a multiprocessor holds at once, and what keeps it from more.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace warpcheck::report {

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Multiprocessor {
  std::string_view architecture;
  unsigned warps = 0;
  unsigned blocks = 0;
  std::size_t shared_bytes = 0;
  std::size_t reserved_bytes = 0;  // of shared memory, per block, by the system
};

/// Of "sm_80", "sm_90a" ...; empty where it is not known.
[[nodiscard]] std::optional<Multiprocessor> multiprocessor(std::string_view architecture);

struct BlockNeeds {
  unsigned threads = 1;
  unsigned registers = 0;        // per thread
  std::size_t shared_bytes = 0;  // static and dynamic
};

struct Occupancy {
  // Blocks that each resource has room for; of registers and shared memory without a limit where
  // none is used.
  unsigned by_blocks = 0;
  unsigned by_warps = 0;
  unsigned by_registers = 0;
  unsigned by_shared = 0;

  unsigned active_blocks = 0;
  unsigned active_warps = 0;
  double share = 0.0;        // of the warps that the multiprocessor can hold
  std::string_view limiter;  // "warps", "registers", "shared memory", "blocks"
};

/// Registers are given out to a warp in units of 256 from its quarter of the 65536 that a
/// multiprocessor has; shared memory in units of 128 bytes.
[[nodiscard]] Occupancy occupancy(const Multiprocessor& multiprocessor, const BlockNeeds& needs);

}  // namespace warpcheck::report
