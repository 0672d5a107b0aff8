// Functions that the bulk copies share (PTX ISA 9.7.9.25.4 and 9.7.9.27).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/isa/sync/mbarrier.hpp"
#include "device/virtual/machine/block/bulk_stores.hpp"
#include "device/virtual/machine/lanes/access.hpp"
#include "device/virtual/semantics/tensor_box.hpp"

namespace warpcheck::isa::bulk {

using machine::Container;
using machine::Flow;
using machine::Mask;
using machine::Op;
using machine::Slot;
using machine::Space;
using machine::Warp;

/// Operands of the ops. Operands 0 to 2 are addresses, each in its space. The offset of the first
/// one is the op's immediate; the other slots are elements of the detail, in this order. An absent
/// operand is kNoSlot.
inline constexpr unsigned kTo = 0;
inline constexpr unsigned kFrom = 1;
inline constexpr unsigned kObject = 2;  // address of the mbarrier object
enum Element : std::size_t { kNoResult, kFromOffset, kObjectOffset, kSize, kBlocks, kCoordinates };

inline constexpr std::uint64_t kUnit = 16;              // unit of addresses and sizes in bytes
inline constexpr std::uint64_t kTensorAlignment = 128;  // alignment in shared memory in bytes

/// The container and address of one address operand of a lane.
struct Place {
  Container container;
  std::uint64_t address = 0;

  [[nodiscard]] std::uint64_t offset() const { return address - container.base; }
  [[nodiscard]] bool holds(std::uint64_t size) const {
    return container.bytes.size >= size && offset() <= container.bytes.size - size;
  }
};

[[nodiscard]] Place place_of(Warp& warp, const Op& op, unsigned operand, Space space,
                             unsigned lane);

/// Returns true if `size` bytes, aligned, are in the container. Otherwise reports a finding, and
/// the copy omits the access. `name`: the instruction, for the finding.
[[nodiscard]] bool check(Warp& warp, const Op& op, Mask lane, const Place& place,
                         std::uint64_t size, std::uint64_t alignment, bool write,
                         std::string_view name = "bulk copy");

/// The lanes with an undefined operand. Reports a finding if there are any.
[[nodiscard]] Mask undefined_operands(const Warp& warp, const Op& op);

/// Calls copy(lane) for each active lane with defined operands.
template <class Copy>
Flow for_each_lane(Warp& warp, const Op& op, Copy copy, std::string_view name = "the bulk copy") {
  if (const Mask unknown = undefined_operands(warp, op)) {
    if (!warp.goes_on_after(op, unknown, FindingClass::uninitialized_read,
                            "an operand of " + std::string(name) + " is undefined")) {
      return Flow::leave;
    }
  }
  const Mask known = warp.active() & ~undefined_operands(warp, op);
  for (Mask rest = known; rest != 0 && !warp.block().faulted(); rest &= rest - 1) {
    copy(machine::lowest(rest));
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

/// The size of a copy without a map. Reports a finding if it is not a multiple of 16.
[[nodiscard]] std::uint32_t size_of(Warp& warp, const Op& op, unsigned lane);

/// Bytes with their definedness.
struct Image {
  std::vector<std::byte> data;
  std::vector<std::byte> shadow;

  /// Creates zeros, which are defined.
  explicit Image(std::size_t bytes) : data(bytes), shadow(bytes, std::byte{0xff}) {}
};

/// Reports a read of `size` bytes of a container by one lane to the checks.
void observe_source(Warp& warp, const Op& op, const Container& container, std::uint64_t offset,
                    std::uint64_t size, Mask lane);

/// A part of an image, and the place in shared memory that receives it.
struct Part {
  std::uint32_t first = 0;  // offset in the image, and from the address of the copy
  std::uint32_t bytes = 0;
};

/// Reports a copy of `bytes` of global memory to the observer of the block.
void count_transfer(Warp& warp, const Op& op, std::uint64_t bytes);

/// Copies parts of an image to the shared memory of one block, or of several blocks if the op has a
/// mask of blocks. `transferred` bytes count for the mbarrier object, even if the copy may not
/// write them, so that no deadlock follows.
void deliver(Warp& warp, const Op& op, unsigned lane, const Image& image,
             const std::vector<Part>& parts, std::uint32_t transferred, std::uint64_t alignment);

/// Sets how a copy combines elements of a type of tensor maps. Returns false if the reduction does
/// not exist for the type.
bool set_reduction(const Op& op, unsigned type, machine::Reduction& reduction);

// Decoding.

/// Decodes an [address] as one of the operands kTo, kFrom and kObject.
void lower_address(Lowering& lowering, std::size_t index, unsigned operand, Space space);
/// Sets an element of the detail.
void set_element(Lowering& lowering, Element element, Slot slot);
/// Records that the instruction reads shared memory through the async proxy.
void read_shared(Lowering& lowering);
/// Decodes the mask of blocks at operand `index`, if the instruction has one.
void lower_multicast(Lowering& lowering, std::size_t index);
/// The number of a type in tensor maps.
[[nodiscard]] unsigned tensor_type(ptx::Type type);
/// The number of the type of a reduction in shared memory. Signed and unsigned sums are equal.
[[nodiscard]] unsigned type_in_shared(const Selection& selection);
/// Decodes the reduction that the modifiers name.
void lower_reduction(Lowering& lowering, unsigned type);
/// The number of optional operands: a mask of blocks, a cache policy.
[[nodiscard]] std::size_t trailing_operands(const Selection& selection);

}  // namespace warpcheck::isa::bulk
