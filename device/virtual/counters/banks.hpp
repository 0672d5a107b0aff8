// The cost of a warp's request in the memory system of a GPU: sectors of global memory, wavefronts
// of shared memory.
#pragma once

#include <array>
#include <cstdint>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::counters {

using LaneAddresses = std::array<std::uint64_t, machine::kLanes>;

inline constexpr unsigned kSectorBytes = 32;

/// The number of aligned sectors that the lanes access. No access of a lane crosses the end of a
/// sector.
[[nodiscard]] unsigned sectors(const LaneAddresses& addresses, machine::Mask lanes);

struct Wavefronts {
  unsigned total = 0;
  unsigned ideal = 0;  // wavefronts if there were no bank conflicts
};

/// The wavefronts of a request to shared memory, which has 32 banks of 4 bytes. In a wavefront a
/// bank serves one word to every lane that accesses it (CUDA C++ Programming Guide, compute
/// capabilities, shared memory). The hardware processes accesses of up to 4 bytes per lane for all
/// lanes together, of 8 bytes per half-warp, of 16 bytes per quarter-warp
/// (github.com/NVIDIA/cutlass, issue 328). It processes two such parts of a load as one if every
/// lane l has the address of lane l ^ 1, or every lane that of l ^ 2, and the words of both parts
/// have no bank conflict. With 16 bytes per lane, the two parts are the quarters of one half-warp.
[[nodiscard]] Wavefronts wavefronts(const LaneAddresses& addresses, machine::Mask lanes,
                                    unsigned bytes, bool load);

}  // namespace warpcheck::counters
