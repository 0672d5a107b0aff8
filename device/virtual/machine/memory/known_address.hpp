// Addresses that an access in a straight run of instructions has resolved. Further accesses of the
// run through the same register lie at a constant distance, so that their bounds, alignment,
// container and pattern follow from the first access.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "device/virtual/checks/shared_races.hpp"
#include "device/virtual/machine/core/eight.hpp"
#include "device/virtual/machine/memory/lane_offsets.hpp"
#include "device/virtual/machine/memory/memory.hpp"

namespace warpcheck::machine {

/// The checks that further loads of whole warps require.
enum class Reads : std::uint8_t {
  carefully,  // all checks
  recorded,   // SharedRaces::read_again(), unless asynchronous copies are in flight
  freely,     // no checks
};

struct KnownAddress {
  alignas(64) LaneOffsets offsets;       // offsets of all lanes in the first access
  const Container* container = nullptr;  // null: unknown
  std::uint64_t turn = 0;                // turn of the fragment that resolved it
  std::uint64_t displacement = 0;        // displacement of the first access
  std::uint32_t lowest = 0;              // lowest offset of all lanes
  std::uint32_t highest = 0;
  std::uint32_t misaligned = 0;  // address bits that are set in any lane
  std::uint32_t bytes = 0;       // size of the first access
  Pattern pattern = Pattern::scattered;
  Reads reads = Reads::carefully;
  checks::RecordedPlace recorded;  // place of a read of shared memory by all lanes
  std::int64_t recorded_at = 0;    // distance of that read from the first access

  /// Stores the result of an access of `accessed` bytes whose offsets are checked for all lanes.
  void store(const Container& in, std::uint64_t current_turn, std::uint64_t at,
             std::uint32_t accessed, Pattern found) {
    using Eight = machine::Eight<std::uint32_t>;
    Eight low;
    load<std::uint32_t>(low, &offsets[0]);
    Eight high = low;
    Eight any = low + static_cast<std::uint32_t>(in.base);
    for (unsigned first = 8; first < kLanes; first += 8) {
      Eight offset;
      load<std::uint32_t>(offset, &offsets[first]);
      low = offset < low ? offset : low;
      high = offset > high ? offset : high;
      any |= offset + static_cast<std::uint32_t>(in.base);
    }
    lowest = low[0];
    highest = high[0];
    misaligned = any[0];
    for (unsigned i = 1; i < 8; ++i) {
      lowest = std::min<std::uint32_t>(lowest, low[i]);
      highest = std::max<std::uint32_t>(highest, high[i]);
      misaligned |= any[i];
    }
    container = &in;
    turn = current_turn;
    displacement = at;
    bytes = accessed;
    pattern = found;
    recorded = {};
  }

  /// The distance in bytes from the first access to an access with this displacement.
  [[nodiscard]] std::int64_t distance_to(std::uint64_t other) const {
    return static_cast<std::int64_t>(other - displacement);
  }

  /// True if an access of `accessed` bytes at this distance from the first one is in bounds, and
  /// aligned as far as the container guarantees it.
  [[nodiscard]] bool allows(std::uint64_t current_turn, std::int64_t distance,
                            std::size_t accessed) const {
    if (container == nullptr || turn != current_turn) return false;
    const std::int64_t begin = std::int64_t{lowest} + distance;
    const std::int64_t end = std::int64_t{highest} + distance + static_cast<std::int64_t>(accessed);
    const auto low_bits = misaligned | static_cast<std::uint32_t>(distance);
    return begin >= 0 && end <= static_cast<std::int64_t>(container->bytes.size) &&
           (low_bits & (accessed - 1)) == 0 && container->alignment >= accessed;
  }
};

}  // namespace warpcheck::machine
