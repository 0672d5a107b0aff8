// Handlers that compute each lane's result from up to three sources of any width, extended to 64
// bits. They serve rare instructions, with one instance for all widths.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa {

using WideLanes = std::array<std::uint64_t, machine::kLanes>;

inline void read_wide(const machine::Warp& warp, const machine::Op& op, unsigned operand,
                      WideLanes& lanes) {
  const machine::Slot slot = op.operand[operand];
  const auto read = [&]<class T>(std::type_identity<T>) {
    const T* values = warp.lanes<T>(slot);
    machine::for_lanes([&](unsigned lane) { lanes[lane] = values[lane]; });
  };
  switch (op.bits[operand]) {
    case 8:
      return read(std::type_identity<std::uint8_t>());
    case 16:
      return read(std::type_identity<std::uint16_t>());
    case 32:
      return read(std::type_identity<std::uint32_t>());
    default:
      return read(std::type_identity<std::uint64_t>());
  }
}

inline void write_wide(const machine::Warp& warp, const machine::Op& op, const WideLanes& lanes) {
  const machine::Slot slot = op.operand[0];
  const auto write = [&]<class T>(std::type_identity<T>) {
    machine::write_lanes<T>(warp, slot, [&](unsigned lane) { return static_cast<T>(lanes[lane]); });
  };
  switch (op.bits[0]) {
    case 8:
      return write(std::type_identity<std::uint8_t>());
    case 16:
      return write(std::type_identity<std::uint16_t>());
    case 32:
      return write(std::type_identity<std::uint32_t>());
    default:
      return write(std::type_identity<std::uint64_t>());
  }
}

/// Executes an op: compute(sources of one lane) gives the result of each lane.
template <class F>
machine::Flow by_lane(machine::Warp& warp, const machine::Op& op, unsigned sources, F compute) {
  const machine::Mask active = warp.active();
  machine::Mask defined = machine::kAllLanes;
  std::array<WideLanes, 3> lanes;
  for (unsigned i = 0; i < sources; ++i) {
    defined &= warp.defined(op.operand[i + 1]);
    read_wide(warp, op, i + 1, lanes[i]);
  }
  const machine::Mask unknown = active & ~defined;
  const machine::Mask known =
      unknown == 0 ? machine::kAllLanes : machine::propagate_undefined(warp, op, unknown);
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    lanes[0][lane] = compute(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
  }
  write_wide(warp, op, lanes[0]);
  warp.set_defined(op.operand[0], active, known);
  return machine::Flow::next;
}

}  // namespace warpcheck::isa
