// Functions on mbarrier objects for several instructions.
#pragma once

#include <cstdint>

#include "device/virtual/machine/lanes/access.hpp"
#include "device/virtual/machine/memory/mbarriers.hpp"

namespace warpcheck::isa {

/// The place of an object: a variable, and the offset of a byte in it.
struct MbarrierPlace {
  const machine::Container* container;
  std::uint64_t offset;

  /// The offset in the block's shared memory.
  [[nodiscard]] std::uint64_t in_block() const { return container->shared_begin + offset; }
};

/// The object at `place`. If there is none, reports a finding for `lane` and returns null.
[[nodiscard]] machine::Mbarrier* mbarrier_at(machine::Warp& warp, const machine::Op& op,
                                             machine::Mask lane, const MbarrierPlace& place);

/// Writes a changed object to its bytes in memory.
void keep_mbarrier(const machine::Mbarrier& object, const MbarrierPlace& place);

/// Adds to the number of bytes for which the current phase waits. If the number would leave its
/// range, reports a finding, keeps the number, and returns false.
[[nodiscard]] bool add_bytes(machine::Warp& warp, const machine::Op& op, machine::Mask lane,
                             machine::Mbarrier& object, std::int64_t bytes);

}  // namespace warpcheck::isa
