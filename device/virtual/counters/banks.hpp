// What a request of a warp costs the memory system of a GPU: sectors of global memory, wavefronts
// of shared memory.
#pragma once

#include <array>
#include <cstdint>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::counters {

using LaneAddresses = std::array<std::uint64_t, machine::kLanes>;

inline constexpr unsigned kSectorBytes = 32;

/// Aligned sectors that the lanes touch, none across a sector's end.
[[nodiscard]] unsigned sectors(const LaneAddresses& addresses, machine::Mask lanes);

struct Wavefronts {
  unsigned total = 0;  // what the banks need
  unsigned ideal = 0;  // what they would need if no two words of a part met in a bank
};

/// Shared memory has 32 banks of 4 bytes; of one bank one word is served at a time, to every lane
/// that asks for it (CUDA C++ Programming Guide, compute capabilities, shared memory). Up to 4
/// bytes a lane are served for all lanes together, 8 bytes half-warp by half-warp, 16 bytes quarter
/// by quarter (github.com/NVIDIA/cutlass, issue 328). Two such parts of a load are served as one
/// where every lane l asks for what lane l ^ 1 asks for, or every lane for what l ^ 2 does, and no
/// two words of both parts meet in a bank; of 16 bytes a lane, the two quarters of a half-warp.
[[nodiscard]] Wavefronts wavefronts(const LaneAddresses& addresses, machine::Mask lanes,
                                    unsigned bytes, bool load);

}  // namespace warpcheck::counters
