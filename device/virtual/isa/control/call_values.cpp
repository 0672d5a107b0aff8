#include "device/virtual/isa/control/call_values.hpp"

#include <algorithm>
#include <cstring>

#include "device/virtual/machine/block/block.hpp"

namespace warpcheck::isa {

using machine::Mask;
using machine::Op;
using machine::Warp;

namespace {

/// The bytes of an element of the call in the stack frame of the caller.
std::size_t stack_place(Warp& warp, const Op& op, unsigned lane, std::size_t index) {
  return lane * warp.local_stride() + warp.frame().local_base + op.detail->elements[index].value;
}

}  // namespace

void read_argument(Warp& warp, const Op& op, unsigned lane, std::size_t index,
                   std::span<std::byte> into) {
  std::fill(into.begin(), into.end(), std::byte{0});
  if (index >= op.detail->elements.size()) return;
  if (const std::size_t bits = op.detail->element_bits[index]; bits != 0) {
    const std::byte* const lanes = warp.lanes<std::byte>(op.detail->elements[index]);
    std::memcpy(into.data(), lanes + lane * bits / 8, std::min(into.size(), bits / 8));
  } else {
    std::memcpy(into.data(), warp.local_data() + stack_place(warp, op, lane, index), into.size());
  }
}

std::uint64_t argument(Warp& warp, const Op& op, unsigned lane, std::size_t index,
                       std::size_t size) {
  std::uint64_t value = 0;
  read_argument(warp, op, lane, index, std::as_writable_bytes(std::span(&value, 1)).first(size));
  return value;
}

void write_result(Warp& warp, const Op& op, unsigned lane, std::size_t index, std::uint64_t value,
                  std::size_t size) {
  if (index >= op.detail->elements.size() || op.detail->elements[index] == machine::kNoSlot) return;
  if (const std::size_t bits = op.detail->element_bits[index]; bits != 0) {
    const machine::Slot slot = op.detail->elements[index];
    std::memcpy(warp.lanes<std::byte>(slot) + lane * bits / 8, &value, bits / 8);
    warp.set_defined(slot, Mask{1} << lane, machine::kAllLanes);
    return;
  }
  const std::size_t place = stack_place(warp, op, lane, index);
  std::memcpy(warp.local_data() + place, &value, size);
  std::memset(warp.local_shadow() + place, 0xff, size);
}

}  // namespace warpcheck::isa
