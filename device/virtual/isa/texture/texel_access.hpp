// Accesses of a warp to the texels of texture and surface objects, with the checks of memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "device/texture.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {

using machine::Op;
using machine::Warp;

/// The shape of the coordinates of an instruction.
struct Geometry {
  unsigned dimensions = 0;  // 1, 2 or 3; a cube has 3
  bool layered = false;
  bool cube = false;
};
/// The geometry of "1d", "2d" ... The vector of coordinates has the layer first.
[[nodiscard]] Geometry geometry_of(const Selection& selection);

inline constexpr unsigned kHandle = 0;  // operand with the handle

/// Decodes `[object, {coordinates}]`: the handle, and the coordinates of `type` as elements of the
/// detail.
void lower_object(Lowering& lowering, std::size_t index, const Geometry& geometry, Type type);

/// Decodes a register or a vector of registers as elements of the detail.
void lower_elements(Lowering& lowering, const ptx::Operand& operand, Type type, bool results);

/// A value of one lane in a register of `bytes` bytes.
void put(Warp& warp, machine::Slot slot, unsigned bytes, unsigned lane, std::uint64_t value,
         std::uint64_t undefined);

/// The object that some of the active lanes use.
struct UsedObject {
  const device::Texture* texture = nullptr;  // null: there are no lanes left
  machine::Mask lanes = 0;
};

/// Removes from `rest` the lanes that use the same object as the lowest lane of `rest`, and returns
/// both. Reports handles that are undefined, unknown or destroyed; `texture` is then null, and the
/// results of the lanes are 0.
[[nodiscard]] UsedObject take_object(Warp& warp, const Op& op, const Geometry& geometry,
                                     bool surface, machine::Mask& rest);

/// The address of the texel of each lane.
using TexelAddresses = std::array<std::uint64_t, machine::kLanes>;

/// Calls body(access, lanes) if the memory of the image exists; otherwise reports its absence.
template <class Body>
void access_texels(Warp& warp, const Op& op, const device::Texture& texture, machine::Mask lanes,
                   const TexelAddresses& addresses, machine::Footprint footprint, Body body) {
  const std::uint64_t first = texture.image.levels.front().address;
  const machine::Container container = machine::locate(warp, op, first);
  const auto lowest = static_cast<unsigned>(__builtin_ctz(lanes));
  machine::LaneOffsets offsets;
  offsets.fill(static_cast<std::uint32_t>(addresses[lowest] - first));
  for (machine::Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    const std::uint64_t end = addresses[lane] - container.base + footprint.bytes;
    if (end > container.bytes.size) {
      static_cast<void>(machine::goes_on_after_access(warp, op, lane, addresses[lane], footprint));
      return;
    }
    offsets[lane] = static_cast<std::uint32_t>(addresses[lane] - first);
  }
  const std::uint64_t begin = first - container.base;
  body(machine::ResolvedAccess{container.bytes.data + begin, container.bytes.shadow + begin,
                               offsets.data(), &container, machine::Pattern::scattered, begin},
       lanes);
}

}  // namespace warpcheck::isa
