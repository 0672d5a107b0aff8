#include "device/virtual/isa/memory/bulk.hpp"

#include <fmt/format.h>

#include <utility>

#include "device/virtual/machine/block/async_copies.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/semantics/atomics.hpp"

namespace warpcheck::isa::bulk {

Place place_of(Warp& warp, const Op& op, unsigned operand, Space space, unsigned lane) {
  constexpr std::array kOffsets = {kNoResult, kFromOffset, kObjectOffset};
  Op part = op;
  part.operand[0] = op.operand[operand];
  part.wide_address = op.bits[operand] == 64;
  if (operand != kTo) {
    part.immediate = static_cast<std::int64_t>(
        warp.lanes<std::uint64_t>(op.detail->elements[kOffsets[operand]])[lane]);
  }
  part.space = space;
  part.frame_relative = false;
  Place place;
  place.address = address_of(warp, part, lane);
  place.container = locate(warp, part, place.address);
  return place;
}

bool check(Warp& warp, const Op& op, Mask lane, const Place& place, std::uint64_t size,
           std::uint64_t alignment, bool write, std::string_view name) {
  const bool aligned = place.address % alignment == 0;
  if (aligned && place.holds(size)) return true;
  const std::string what = fmt::format("{} of {} bytes {}", name, size, write ? "to" : "from");
  if (place.container.name == nullptr) {
    static_cast<void>(warp.goes_on_after(
        op, lane, FindingClass::out_of_bounds,
        fmt::format("{} address {:#x}, where nothing is allocated", what, place.address)));
    return false;
  }
  const auto offset = static_cast<std::ptrdiff_t>(place.offset());
  const std::string& memory_name = *place.container.name;
  MemoryPlace memory{memory_name, offset, size, write, place.container.bytes.size};
  static_cast<void>(
      aligned ? warp.goes_on_after(op, lane, FindingClass::out_of_bounds,
                                   fmt::format("{} byte {} of {}, which has {} bytes", what, offset,
                                               memory_name, place.container.bytes.size),
                                   std::move(memory))
              : warp.goes_on_after(
                    op, lane, FindingClass::misaligned,
                    fmt::format("{} byte {} of {}: the address is {} bytes past a {}-byte "
                                "boundary",
                                what, offset, memory_name, place.address % alignment, alignment),
                    std::move(memory)));
  return false;
}

Mask undefined_operands(const Warp& warp, const Op& op) {
  Mask defined = machine::kAllLanes;
  for (const unsigned operand : {kTo, kFrom, kObject}) {
    if (op.operand[operand] != machine::kNoSlot) defined &= warp.defined(op.operand[operand]);
  }
  for (const Slot slot : op.detail->elements) {
    if (slot != machine::kNoSlot) defined &= warp.defined(slot);
  }
  return warp.active() & ~defined;
}

std::uint32_t size_of(Warp& warp, const Op& op, unsigned lane) {
  const std::uint32_t size = warp.lanes<std::uint32_t>(op.detail->elements[kSize])[lane];
  if (size % kUnit != 0) {
    static_cast<void>(warp.goes_on_after(
        op, Mask{1} << lane, FindingClass::misaligned,
        fmt::format("bulk copy of {} bytes, which is no multiple of {}", size, kUnit)));
  }
  return size;
}

void observe_source(Warp& warp, const Op& op, const Container& container, std::uint64_t offset,
                    std::uint64_t size, Mask lane) {
  if (size == 0) return;
  const machine::LaneOffsets none{};
  observe_read(warp, op,
               {container.bytes.data + offset, container.bytes.shadow + offset, none.data(),
                &container, machine::Pattern::equal, offset},
               lane, size);
}

void count_transfer(Warp& warp, const Op& op, std::uint64_t bytes) {
  if (machine::BlockObserver* const observer = warp.block().observer()) {
    observer->transfer(warp, op, bytes);
  }
}

bool set_reduction(const Op& op, unsigned type, machine::Reduction& reduction) {
  if (!op.detail->reduction) return true;
  reduction.combine =
      semantics::bulk_reduction(static_cast<semantics::BulkReduction>(*op.detail->reduction), type);
  reduction.element = device::tensor_element_bytes(type);
  return reduction.combine != nullptr;
}

namespace {

/// The same place in the shared memory of the block with another rank.
Place in_block(Warp& warp, const Place& place, std::uint32_t rank) {
  Op op;
  op.space = Space::shared;
  const Container& container = place.container;
  Place there;
  there.address = ((std::uint64_t{rank} + 1) << machine::kClusterRankBits) +
                  container.shared_begin + place.offset();
  there.container = locate(warp, op, there.address);
  return there;
}

/// Copies to one block. The bytes count as copied for the object's phase at once; no thread can
/// observe this before the phase expects them. They are written when a thread has waited for that
/// phase.
void deliver_to(Warp& warp, const Op& op, unsigned lane, const Place& to, const Place& object_place,
                const Image& image, const std::vector<Part>& parts, std::uint32_t transferred,
                std::uint64_t alignment) {
  const Mask bit = Mask{1} << lane;
  const bool writes = check(warp, op, bit, to, image.data.size(), alignment, true);
  if (warp.block().faulted() || !check(warp, op, bit, object_place, 8, 8, true)) return;
  if (writes && to.container.owner != object_place.container.owner) {
    static_cast<void>(
        warp.goes_on_after(op, bit, FindingClass::barrier_divergence,
                           "the mbarrier object is in the shared memory of another block "
                           "than the destination of the copy"));
    return;
  }
  const MbarrierPlace where{&object_place.container, object_place.offset()};
  machine::Mbarrier* object = mbarrier_at(warp, op, bit, where);
  if (object == nullptr) return;
  if (!add_bytes(warp, op, bit, *object, -std::int64_t{transferred})) return;
  machine::Block& owner = to.container.owner != nullptr ? *to.container.owner : warp.block();
  machine::BulkWrite write;
  write.object = static_cast<std::uint32_t>(where.in_block());
  write.generic_proxy = op.detail->generic_proxy;
  static_cast<void>(set_reduction(op, op.detail->reduced_type, write.reduction));
  Image bytes = image;
  for (const Part& part : writes ? parts : std::vector<Part>()) {
    object->attached.push_back(owner.async_copies().issue_bulk(
        owner, warp, op, to.container, to.offset() + part.first, lane,
        {&bytes.data[part.first], &bytes.shadow[part.first], part.bytes}, write));
  }
  if (warp.block().looks_for_races()) {
    const machine::LaneOffsets none{};
    const Container& container = object_place.container;
    observe_completion(warp, op,
                       {container.bytes.data + where.offset, container.bytes.shadow + where.offset,
                        none.data(), &container, machine::Pattern::equal, where.offset},
                       bit, 8);
  }
  // The completion of the bytes releases at least the accesses before the copy. It may follow the
  // arrival of the thread, so that the arrival does not release it.
  if (warp.block().looks_for_races()) {
    warp.block().races().clocks().release(warp.index(), bit, object->arrived);
  }
  object->complete_if_due();
  keep_mbarrier(*object, where);
}

}  // namespace

void deliver(Warp& warp, const Op& op, unsigned lane, const Image& image,
             const std::vector<Part>& parts, std::uint32_t transferred, std::uint64_t alignment) {
  const Place to = place_of(warp, op, kTo, Space::shared, lane);
  const Place object = place_of(warp, op, kObject, Space::shared, lane);
  const Slot mask = op.detail->elements[kBlocks];
  if (mask == machine::kNoSlot) {
    return deliver_to(warp, op, lane, to, object, image, parts, transferred, alignment);
  }
  const std::uint32_t blocks = warp.lanes<std::uint16_t>(mask)[lane];
  const std::uint32_t size = warp.block().cluster()->size();
  for (std::uint32_t rank = 0; blocks >> rank != 0; ++rank) {
    if ((blocks >> rank & 1) == 0) continue;
    if (rank >= size) {
      static_cast<void>(warp.goes_on_after(
          op, Mask{1} << lane, FindingClass::out_of_bounds,
          fmt::format("multicast to block {} of a cluster that has {}: the mask of blocks is {:#x}",
                      rank, size, blocks)));
      return;
    }
    deliver_to(warp, op, lane, in_block(warp, to, rank), in_block(warp, object, rank), image, parts,
               transferred, alignment);
    if (warp.block().faulted()) return;
  }
}

void lower_address(Lowering& lowering, std::size_t index, unsigned operand, Space space) {
  const auto* address = lowering.operand<ptx::Address>(index);
  if (address == nullptr) throw DecodeError("an [address] is expected");
  Op& op = lowering.result;
  const Op before = op;
  lowering.address(*address, space);
  if (op.frame_relative) throw DecodeError("the address is in the stack of a function");
  const Slot slot = op.operand[0];
  const std::int64_t offset = op.immediate;
  const bool wide = op.wide_address;
  if (operand != kTo) {
    op.operand[0] = before.operand[0];
    op.immediate = before.immediate;
    op.wide_address = before.wide_address;
    op.space = before.space;
    set_element(lowering, operand == kFrom ? kFromOffset : kObjectOffset,
                lowering.function.constant(static_cast<std::uint64_t>(offset), 64));
  }
  op.operand[operand] = slot;
  op.bits[operand] = wide ? 64 : 32;
}

void set_element(Lowering& lowering, Element element, Slot slot) {
  auto& elements = lowering.detail().elements;
  if (elements.size() < kCoordinates) elements.resize(kCoordinates, machine::kNoSlot);
  elements[element] = slot;
}

void read_shared(Lowering& lowering) { lowering.function.code().reads_by_async_proxy = true; }

void lower_multicast(Lowering& lowering, std::size_t index) {
  if (!lowering.selection.has("multicast::cluster")) return;
  set_element(lowering, kBlocks,
              lowering.source(lowering.instruction.operands.at(index), Type::u16));
  lowering.function.code().communicates = true;
  lowering.function.code().uses_cluster = true;
}

unsigned tensor_type(ptx::Type type) {
  switch (type) {
    case ptx::Type::u32:
    case ptx::Type::b32:
      return 2;
    case ptx::Type::s32:
      return 3;
    case ptx::Type::u64:
    case ptx::Type::b64:
      return 4;
    case ptx::Type::s64:
      return 5;
    case ptx::Type::f16:
      return 6;
    case ptx::Type::f32:
      return 7;
    case ptx::Type::f64:
      return 8;
    default:
      return 9;  // bf16
  }
}

unsigned type_in_shared(const Selection& selection) {
  const ptx::Type type = selection.type();
  return tensor_type(selection.has("add") && type == ptx::Type::s32 ? ptx::Type::u32 : type);
}

void lower_reduction(Lowering& lowering, unsigned type) {
  constexpr std::array<std::string_view, 8> kNames = {"add", "min", "max", "inc",
                                                      "dec", "and", "or",  "xor"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (lowering.selection.has(kNames[i])) {
      lowering.detail().reduction = static_cast<std::uint8_t>(i);
    }
  }
  lowering.detail().reduced_type = static_cast<std::uint8_t>(type);
  Op& op = lowering.result;
  op.strong = true;
  if (!lowering.selection.types.empty()) {
    op.scalar_bytes = static_cast<std::uint8_t>(ptx::bytes(lowering.selection.type()));
  }
  lowering.function.code().communicates = true;
}

std::size_t trailing_operands(const Selection& selection) {
  return (selection.has("multicast::cluster") ? 1 : 0) + (selection.has("L2::cache_hint") ? 1 : 0);
}

}  // namespace warpcheck::isa::bulk
