// Theoretical occupancy: the number of blocks that a multiprocessor holds at once, and its limiter.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "workflows/profile/profile.hpp"

namespace warpcheck::workflows::profile {

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Multiprocessor {
  std::string_view architecture;
  unsigned warps = 0;
  unsigned blocks = 0;
  std::size_t shared_bytes = 0;
  std::size_t reserved_bytes = 0;  // shared memory that the system reserves per block
};

/// Limits of "sm_80", "sm_90a" ...; empty if the architecture is not in the table.
[[nodiscard]] std::optional<Multiprocessor> multiprocessor(std::string_view architecture);

struct BlockNeeds {
  unsigned threads = 1;
  unsigned registers = 0;        // registers of one thread
  std::size_t shared_bytes = 0;  // static and dynamic
};

struct Occupancy {
  // Number of blocks that each resource admits; the largest `unsigned` where a block uses no
  // registers or no shared memory.
  unsigned by_blocks = 0;
  unsigned by_warps = 0;
  unsigned by_registers = 0;
  unsigned by_shared = 0;

  unsigned active_blocks = 0;
  unsigned active_warps = 0;
  double share = 0.0;        // active warps over the limit of the multiprocessor
  std::string_view limiter;  // "warps", "registers", "shared memory", "blocks"
};

/// The hardware allocates registers per warp in units of 256 from one quarter of the 65536
/// registers of a multiprocessor, and shared memory in units of 128 bytes.
[[nodiscard]] Occupancy occupancy(const Multiprocessor& multiprocessor, const BlockNeeds& needs);

/// Empty if the limits of the architecture or the resources of the kernel are not known.
[[nodiscard]] std::optional<Occupancy> occupancy(const Profile& profile);

[[nodiscard]] unsigned threads_per_block(const Profile& profile);

}  // namespace warpcheck::workflows::profile
