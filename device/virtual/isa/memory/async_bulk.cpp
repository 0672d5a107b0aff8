// Bulk copies from global to shared memory that complete on an mbarrier object (PTX ISA
// 9.7.9.25.4.1). From compute capability 9.0 on, the CUDA headers use them for large memcpy_async.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/isa/sync/mbarrier.hpp"
#include "device/virtual/machine/block/async_copies.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {
namespace {

using machine::Container;
using machine::Flow;
using machine::Mask;
using machine::Op;
using machine::Slot;
using machine::Space;
using machine::Warp;

// Operands: three addresses, each followed in the second half by its constant offset, and a size.
// Those of shared memory must be the block's own.
constexpr unsigned kTo = 0;
constexpr unsigned kFrom = 1;
constexpr unsigned kObject = 2;
constexpr unsigned kSize = 3;
constexpr unsigned kFromOffset = 4;
constexpr unsigned kObjectOffset = 5;

/// The container and address of one address operand of a lane.
struct Place {
  Container container;
  std::uint64_t address = 0;

  [[nodiscard]] std::uint64_t offset() const { return address - container.base; }
  [[nodiscard]] bool holds(std::uint64_t size) const {
    return container.bytes.size >= size && offset() <= container.bytes.size - size;
  }
};

Place place_of(Warp& warp, const Op& op, unsigned operand, Space space, std::uint64_t displacement,
               unsigned lane) {
  Op part = op;
  part.operand[0] = op.operand[operand];
  part.wide_address = op.bits[operand] == 64;
  part.immediate = static_cast<std::int64_t>(displacement);
  part.space = space;
  Place place;
  place.address = address_of(warp, part, lane);
  place.container = locate(warp, part, place.address);
  return place;
}

/// Returns true if `size` bytes, aligned, are in the container. Otherwise reports a finding.
bool check(Warp& warp, const Op& op, Mask lane, const Place& place, std::uint64_t size,
           std::uint64_t alignment, bool write) {
  const bool aligned = place.address % alignment == 0;
  if (aligned && place.holds(size)) return true;
  const std::string what = fmt::format("bulk copy of {} bytes {}", size, write ? "to" : "from");
  if (place.container.name == nullptr) {
    static_cast<void>(warp.fault(
        op, lane, FindingClass::out_of_bounds,
        fmt::format("{} address {:#x}, where nothing is allocated", what, place.address)));
    return false;
  }
  const auto offset = static_cast<std::ptrdiff_t>(place.offset());
  const std::string& name = *place.container.name;
  MemoryPlace memory{name, offset, size, write, place.container.bytes.size};
  static_cast<void>(
      aligned ? warp.fault(op, lane, FindingClass::out_of_bounds,
                           fmt::format("{} byte {} of {}, which has {} bytes", what, offset, name,
                                       place.container.bytes.size),
                           std::move(memory))
              : warp.fault(op, lane, FindingClass::misaligned,
                           fmt::format("{} byte {} of {}: the address is {} bytes past a {}-byte "
                                       "boundary",
                                       what, offset, name, place.address % alignment, alignment),
                           std::move(memory)));
  return false;
}

/// The bytes count as copied for the object's phase at once, which no thread can observe before the
/// phase expects them. They are written when a thread has waited for that phase.
bool copy(Warp& warp, const Op& op, unsigned lane) {
  constexpr std::uint64_t kUnit = 16;
  const Mask bit = Mask{1} << lane;
  const std::uint32_t size = warp.lanes<std::uint32_t>(op.operand[kSize])[lane];
  if (size % kUnit != 0) {
    static_cast<void>(
        warp.fault(op, bit, FindingClass::misaligned,
                   fmt::format("bulk copy of {} bytes, which is no multiple of {}", size, kUnit)));
    return false;
  }
  const auto offset_of = [&](unsigned operand) {
    return warp.lanes<std::uint64_t>(op.operand[operand])[lane];
  };
  const Place to =
      place_of(warp, op, kTo, Space::shared, static_cast<std::uint64_t>(op.immediate), lane);
  const Place from = place_of(warp, op, kFrom, Space::global, offset_of(kFromOffset), lane);
  const Place object_place =
      place_of(warp, op, kObject, Space::shared, offset_of(kObjectOffset), lane);
  if (!check(warp, op, bit, from, size, kUnit, false) ||
      !check(warp, op, bit, to, size, kUnit, true) ||
      !check(warp, op, bit, object_place, 8, 8, true)) {
    return false;
  }
  if (to.container.owner != nullptr || object_place.container.owner != nullptr) {
    warp.block().stop_beyond_limit(
        {"cp.async.bulk.shared::cluster", "it copies to another block of the cluster",
         "9.7.9.25.4.1",
         machine::source_place(*warp.block().launch().program, *warp.frame().code, op)});
    return false;
  }
  const MbarrierPlace where{&object_place.container, object_place.offset()};
  machine::Mbarrier* object = mbarrier_at(warp, op, bit, where);
  if (object == nullptr) return false;
  if (!add_bytes(warp, op, bit, *object, -std::int64_t{size})) return false;
  if (size != 0) {
    const machine::LaneOffsets none{};
    const machine::Bytes source{from.container.bytes.data + from.offset(),
                                from.container.bytes.shadow + from.offset(), size};
    observe_read(warp, op,
                 {source.data, source.shadow, none.data(), &from.container, machine::Pattern::equal,
                  from.offset()},
                 bit, size);
    object->attached.push_back(
        warp.block().async_copies().issue_bulk(warp, op, to.container, to.offset(), lane, source));
  }
  // The completion of the bytes releases at least what happened before the copy. It may follow the
  // arrival of the thread, so that the arrival does not release it.
  if (warp.block().looks_for_races()) {
    warp.block().races().clocks().release(warp.index(), bit, object->arrived);
  }
  object->complete_if_due();
  keep_mbarrier(*object, where);
  return true;
}

Flow bulk_copy(Warp& warp, const Op& op) {
  for (const unsigned operand : {kTo, kFrom, kObject, kSize}) {
    if (const Mask unknown = warp.active() & ~warp.defined(op.operand[operand])) {
      return warp.fault(op, unknown, FindingClass::uninitialized_read,
                        "an address or the size of the copy is undefined");
    }
  }
  for (Mask rest = warp.active(); rest != 0; rest &= rest - 1) {
    if (!copy(warp, op, static_cast<unsigned>(std::countr_zero(rest)))) return Flow::leave;
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

/// The address register of `[base+offset]`; sets the operand's width.
Slot lower_address(Lowering& lowering, std::size_t index, unsigned operand, Space space) {
  const auto* address = lowering.operand<ptx::Address>(index);
  if (address == nullptr) throw DecodeError("[to], [from], a size and [mbarrier] are expected");
  lowering.address(*address, space);
  lowering.result.bits[operand] = lowering.result.wide_address ? 64 : 32;
  return lowering.result.operand[0];
}

void lower_bulk(Lowering& lowering) {
  const std::size_t expected = lowering.selection.has("L2::cache_hint") ? 5 : 4;
  if (lowering.operand_count() != expected) {
    throw DecodeError("[to], [from], a size and [mbarrier] are expected");
  }
  Op& op = lowering.result;
  const auto constant = [&] {
    return lowering.function.constant(static_cast<std::uint64_t>(op.immediate), 64);
  };
  const Slot from = lower_address(lowering, 1, kFrom, Space::global);
  const Slot from_offset = constant();
  const Slot object = lower_address(lowering, 3, kObject, Space::shared);
  const Slot object_offset = constant();
  op.operand[kTo] = lower_address(lowering, 0, kTo, Space::shared);
  op.operand[kFrom] = from;
  op.operand[kFromOffset] = from_offset;
  op.operand[kObject] = object;
  op.operand[kObjectOffset] = object_offset;
  op.operand[kSize] = lowering.source(lowering.instruction.operands[2], Type::u32);
  op.run = bulk_copy;
}

constexpr std::array kForms = {
    Form{"cp",
         "async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes "
         "[L2::cache_hint]",
         "", "", "9.7.9.25.4.1", nullptr, nullptr, lower_bulk},
};

}  // namespace

std::span<const Form> async_bulk_forms() { return kForms; }

}  // namespace warpcheck::isa
