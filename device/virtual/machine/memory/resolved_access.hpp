// An access of a warp to memory, after its addresses are resolved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/virtual/machine/memory/lane_offsets.hpp"
#include "device/virtual/machine/memory/memory.hpp"

namespace warpcheck::machine {

struct KnownAddress;

/// An access of several lanes to one container. The bytes of a lane begin at data + offset[lane].
struct ResolvedAccess {
  std::byte* data;
  std::byte* shadow;
  // Offsets of all 32 lanes; an inactive lane's offset is in the container.
  const std::uint32_t* offset;
  const Container* container;
  Pattern pattern;
  std::uint64_t begin = 0;        // offset of `data` in the container
  KnownAddress* known = nullptr;  // holds these offsets; may be null

  /// The offset in the container at which a lane's bytes begin.
  [[nodiscard]] std::uint64_t at(unsigned lane) const { return begin + offset[lane]; }

  /// The lanes, active or not, whose bytes begin at `place`.
  [[nodiscard]] Mask lanes_at(std::uint64_t place) const {
    Mask lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) lanes |= Mask{at(lane) == place} << lane;
    return lanes;
  }
};

}  // namespace warpcheck::machine
