// Offsets of the lanes of a warp in a container. They are computed for all 32 lanes together, with
// the checks of every access.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device/virtual/machine/core/eight.hpp"
#include "device/virtual/machine/core/lanes.hpp"

namespace warpcheck::machine {

/// The pattern of the offsets in each group of eight lanes: 0 to 7, 8 to 15, 16 to 23, 24 to 31.
enum class Pattern : std::uint8_t {
  scattered,
  equal,       // all eight are equal
  contiguous,  // each access begins where the previous lane's access ends
};

/// The offset in bytes from the first byte of a container, per lane. Containers of more than 4 GiB
/// are accessed lane by lane.
using LaneOffsets = std::array<std::uint32_t, kLanes>;

/// The result of checking the offsets of all lanes.
struct Survey {
  bool allowed;  // every lane is in bounds, and aligned to the size of the access
  Pattern pattern;
};

/// Checks the offsets of accesses of `bytes` bytes in a container at address `base`; `last` is the
/// largest offset that is in bounds.
inline Survey survey(const LaneOffsets& offsets, std::uint32_t base, std::uint32_t last,
                     std::uint32_t bytes) {
  using Eight = machine::Eight<std::uint32_t>;
  const Eight contiguous = Eight{0, 1, 2, 3, 4, 5, 6, 7} * bytes;
  Eight refused{};
  Eight unequal{};
  Eight not_contiguous{};
  for (unsigned first = 0; first < kLanes; first += 8) {
    Eight offset;
    std::memcpy(&offset, &offsets[first], sizeof offset);
    refused |= (offset + base) & (bytes - 1);
    refused |= reinterpret_cast<Eight>(offset > last);
    const Eight apart = offset - offsets[first];
    unequal |= apart;
    not_contiguous |= apart ^ contiguous;
  }
  if (any(refused)) return {false, Pattern::scattered};
  if (!any(unequal)) return {true, Pattern::equal};
  return {true, any(not_contiguous) ? Pattern::scattered : Pattern::contiguous};
}

/// Computes the offsets of `lanes` from their addresses; the other lanes get the offset of the
/// lowest of `lanes`. Returns false if an offset exceeds 32 bits.
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
