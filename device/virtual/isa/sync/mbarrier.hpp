// What several instructions do with mbarrier objects.
#pragma once

#include <cstdint>

#include "device/virtual/machine/block/mbarriers.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {

/// Where an object lies: in which variable, and at which byte of it.
struct MbarrierPlace {
  const machine::Container* container;
  std::uint64_t offset;

  /// In the block's shared memory.
  [[nodiscard]] std::uint64_t in_block() const { return container->shared_begin + offset; }
};

/// The object there; null after a complaint about `lane` where there is none.
[[nodiscard]] machine::Mbarrier* mbarrier_at(machine::Warp& warp, const machine::Op& op,
                                             machine::Mask lane, const MbarrierPlace& place);

/// Writes an object that was changed to its bytes.
void keep_mbarrier(const machine::Mbarrier& object, const MbarrierPlace& place);

/// More bytes are awaited by the current phase, or fewer. False after a complaint where their
/// number leaves its range.
[[nodiscard]] bool add_bytes(machine::Warp& warp, const machine::Op& op, machine::Mask lane,
                             machine::Mbarrier& object, std::int64_t bytes);

}  // namespace warpcheck::isa
