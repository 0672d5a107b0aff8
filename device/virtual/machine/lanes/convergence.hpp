// Instructions that all lanes of a warp execute together (`.sync.aligned`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::machine {

/// Returns true if all lanes of the warp execute the op together. Otherwise the lanes that have
/// come wait at the op for the others (`.sync`, PTX ISA 9.7.14.5.14), and none is active. If the
/// others have exited, it reports a finding, and the lanes that have come stay active.
[[nodiscard]] bool all_take_part(Warp& warp, const Op& op);

/// Omits an op after a finding: its results in the running lanes are zeros. They are defined, so
/// that one cause is one finding. If no lane is active (all wait), no lane continues.
template <class T>
Flow skip_with_zeros(Warp& warp, std::span<const Slot> results) {
  if (warp.block().faulted() || warp.active() == 0) return Flow::leave;
  for (const Slot slot : results) {
    if (slot == kNoSlot) continue;
    for (Mask rest = warp.active(); rest != 0; rest &= rest - 1) {
      warp.lanes<T>(slot)[lowest(rest)] = T{};
    }
    warp.set_defined(slot, warp.active(), kAllLanes);
  }
  return Flow::next;
}

/// The values of a register, and the undefined bits if a lane is not fully defined.
template <class T>
struct RegisterLanes {
  alignas(64) T value[kLanes];
  alignas(64) T undefined[kLanes];  // valid if `known` is false
  bool known = true;
};

template <class T>
void read_register(Warp& warp, Slot slot, RegisterLanes<T>& lanes) {
  std::memcpy(lanes.value, warp.lanes<T>(slot), sizeof lanes.value);
  const Mask defined = warp.defined(slot);
  lanes.known = defined == kAllLanes;
  if (lanes.known) return;
  std::memcpy(lanes.undefined, warp.undefined_bits(slot), sizeof lanes.undefined);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((defined >> lane & 1) != 0) lanes.undefined[lane] = 0;
  }
}

template <class T>
void write_register(Warp& warp, Slot slot, const RegisterLanes<T>& lanes) {
  std::memcpy(warp.lanes<T>(slot), lanes.value, sizeof lanes.value);
  warp.defined(slot) = kAllLanes;
  if (lanes.known) return;
  std::memcpy(warp.undefined_bits(slot), lanes.undefined, sizeof lanes.undefined);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (lanes.undefined[lane] != 0) warp.defined(slot) &= ~(Mask{1} << lane);
  }
}

}  // namespace warpcheck::machine
