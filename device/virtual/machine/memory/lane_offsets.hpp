// Where in a container the lanes of a warp lead: found for all 32 at once, with the checks that
// every access must pass.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device/virtual/machine/core/eight.hpp"
#include "device/virtual/machine/core/lanes.hpp"

namespace warpcheck::machine {

/// How the places of lanes 0 to 7 follow each other, and likewise of 8 to 15, 16 to 23, 24 to 31.
enum class Pattern : std::uint8_t {
  scattered,
  equal,       // the eight meet in one place
  contiguous,  // each begins where the lane before it ends
};

/// Bytes from a container's first byte on, per lane. Such an offset has 32 bits: containers of more
/// than 4 GiB are walked lane by lane.
using LaneOffsets = std::array<std::uint32_t, kLanes>;

/// What is to know of the places of all lanes.
struct Survey {
  bool allowed;  // every lane is inside, and aligned to the bytes of the access
  Pattern pattern;
};

/// Looks at the offsets of accesses of `bytes` bytes in a container that begins at `base` and has
/// at least as many bytes, and `last` before the last access that fits.
inline Survey survey(const LaneOffsets& offsets, std::uint32_t base, std::uint32_t last,
                     std::uint32_t bytes) {
  using Eight = machine::Eight<std::uint32_t>;
  const Eight walk = Eight{0, 1, 2, 3, 4, 5, 6, 7} * bytes;
  Eight refused{};
  Eight unequal{};
  Eight astray{};
  for (unsigned first = 0; first < kLanes; first += 8) {
    Eight offset;
    std::memcpy(&offset, &offsets[first], sizeof offset);
    refused |= (offset + base) & (bytes - 1);
    refused |= reinterpret_cast<Eight>(offset > last);
    const Eight apart = offset - offsets[first];
    unequal |= apart;
    astray |= apart ^ walk;
  }
  if (any(refused)) return {false, Pattern::scattered};
  if (!any(unequal)) return {true, Pattern::equal};
  return {true, any(astray) ? Pattern::scattered : Pattern::contiguous};
}

/// Takes `lanes` from their addresses to their offsets; the other lanes get the offset of the
/// lowest. False where an offset does not fit.
template <class Address>
inline bool measure(const Address* address, Address displacement, Mask lanes,
                    LaneOffsets& offsets) {
  std::uint64_t all = 0;
  if (lanes == kAllLanes) {
    for_lanes([&](unsigned lane) {
      const Address offset = address[lane] + displacement;
      all |= offset;
      offsets[lane] = static_cast<std::uint32_t>(offset);
    });
  } else {
    const Address lowest = address[__builtin_ctz(lanes)] + displacement;
    for_lanes([&](unsigned lane) {
      const Address offset = (lanes >> lane & 1) != 0 ? address[lane] + displacement : lowest;
      all |= offset;
      offsets[lane] = static_cast<std::uint32_t>(offset);
    });
  }
  return all >> 32 == 0;
}

}  // namespace warpcheck::machine
