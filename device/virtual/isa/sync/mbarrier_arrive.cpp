// Arrivals at mbarrier objects (PTX ISA 9.7.13.15). Lanes arrive one after another, the lowest
// first.
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "device/virtual/isa/sync/mbarrier_parts.hpp"
#include "device/virtual/machine/block/async_copies.hpp"
#include "device/virtual/machine/block/observe.hpp"

namespace warpcheck::isa::mbarriers {
namespace {

struct ArrivalKind {
  bool drops = false;
  bool expects_bytes = false;
  bool completes = true;
};

/// Executes the arrival of one lane. If it is invalid, reports a finding, changes nothing, and
/// returns false.
template <ArrivalKind kind>
bool arrive_one(Warp& warp, const Op& op, Mask lane, Mbarrier& object, std::uint32_t value) {
  const std::uint32_t count = kind.expects_bytes ? 1 : value;
  if (!check_count(warp, op, lane, count)) return false;
  if (count > object.pending) {
    misuse(warp, op, lane,
           fmt::format("{} arrive{} where the phase waits for {} more", count,
                       count == 1 ? "s" : "", object.pending));
    return false;
  }
  if (!kind.completes && object.pending == count && object.bytes == 0) {
    misuse(warp, op, lane, "the arrival completes the phase, which .noComplete rules out");
    return false;
  }
  if (kind.expects_bytes && !add_bytes(warp, op, lane, object, value)) return false;
  object.pending -= count;
  if (kind.drops) object.expected -= count;
  return true;
}

/// Releases the clocks of the arriving lanes to the object.
void release(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
             Mbarrier& object) {
  if (lanes == 0 || !warp.block().looks_for_races()) return;
  if (op.releases) {
    warp.block().races().clocks().release(warp.index(), lanes, object.arrived);
  } else {
    object.relaxed = true;
    observe_flag(warp, op, resolved, lanes, 8, true, true);
  }
}

void write_token(Warp& warp, const Op& op, unsigned lane, std::uint64_t token) {
  if (op.operand[kResult] == machine::kNoSlot) return;
  warp.lanes<std::uint64_t>(op.operand[kResult])[lane] = token;
  warp.set_defined(op.operand[kResult], Mask{1} << lane, machine::kAllLanes);
}

template <ArrivalKind kind>
Flow arrive(Warp& warp, const Op& op) {
  Mask refused = warp.active();
  const Flow flow = for_objects(warp, op, [&](const Party& party, const ResolvedAccess& resolved) {
    Mbarrier* object = mbarrier_at(warp, op, party.lanes, party.place);
    if (object == nullptr) return;
    Mask arrived = 0;
    for (Mask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest(rest);
      const std::uint64_t token = object->token(party.place.in_block());
      const std::uint32_t value = op.operand[kValue] == machine::kNoSlot
                                      ? 1
                                      : warp.lanes<std::uint32_t>(op.operand[kValue])[lane];
      write_token(warp, op, lane, token);
      refused &= ~(Mask{1} << lane);
      if (!arrive_one<kind>(warp, op, Mask{1} << lane, *object, value)) {
        if (warp.block().faulted()) return;
        continue;
      }
      arrived |= Mask{1} << lane;
      if (object->pending == 0) release(warp, op, resolved, std::exchange(arrived, 0), *object);
      object->complete_if_due();
    }
    release(warp, op, resolved, arrived, *object);
    keep_mbarrier(*object, party.place);
    observe_object(warp, op, resolved, party.lanes, true);
  });
  for (; refused != 0; refused &= refused - 1) write_token(warp, op, lowest(refused), 0);
  return flow;
}

/// mbarrier.expect_tx and mbarrier.complete_tx.
template <int sign>
Flow change_bytes(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const ResolvedAccess& resolved) {
    Mbarrier* object = mbarrier_at(warp, op, party.lanes, party.place);
    if (object == nullptr) return;
    for (Mask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const std::int64_t bytes = warp.lanes<std::uint32_t>(op.operand[kValue])[lowest(rest)];
      if (add_bytes(warp, op, Mask{1} << lowest(rest), *object, sign * bytes)) {
        object->complete_if_due();
      } else if (warp.block().faulted()) {
        return;
      }
    }
    keep_mbarrier(*object, party.place);
    observe_object(warp, op, resolved, party.lanes, true);
  });
}

/// Executes cp.async.mbarrier.arrive: an arrival when the copies in flight of the lanes have
/// completed. The machine completes them at once. With .noinc the object already expects that
/// arrival.
template <bool increments>
Flow arrive_by_copies(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const ResolvedAccess& resolved) {
    Mbarrier* object = mbarrier_at(warp, op, party.lanes, party.place);
    if (object == nullptr) return;
    for (Mask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const Mask lane = rest & (~rest + 1);
      if (increments && object->pending == Mbarrier::kLargestCount) {
        static_cast<void>(check_count(warp, op, lane, object->pending + 1));
        if (warp.block().faulted()) return;
        continue;
      }
      object->attached.push_back(warp.block().async_copies().issued(warp.index(), lane));
      release(warp, op, resolved, lane, *object);
      if (increments) continue;
      if (arrive_one<ArrivalKind{}>(warp, op, lane, *object, 1)) {
        object->complete_if_due();
      } else if (warp.block().faulted()) {
        return;
      }
    }
    keep_mbarrier(*object, party.place);
    observe_object(warp, op, resolved, party.lanes, true);
  });
}

}  // namespace

void lower_arrive(Lowering& lowering) {
  const Selection& s = lowering.selection;
  expect_operands(lowering, s.has("expect_tx") || s.has("noComplete") ? 3 : 2, 3);
  lower_address(lowering, 1);
  Op& op = lowering.result;
  op.strong = true;
  const ptx::Operand& state = lowering.instruction.operands[0];
  if (!std::holds_alternative<ptx::Sink>(state)) {
    op.operand[kResult] = lowering.destination(state, Type::b64);
  }
  if (lowering.operand_count() == 3) {
    op.operand[kValue] = lowering.source(lowering.instruction.operands[2], Type::u32);
  }
  const bool drops = s.has("arrive_drop");
  if (s.has("expect_tx")) {
    op.run = drops ? arrive<ArrivalKind{true, true, true}> : arrive<ArrivalKind{false, true, true}>;
  } else if (s.has("noComplete")) {
    op.run =
        drops ? arrive<ArrivalKind{true, false, false}> : arrive<ArrivalKind{false, false, false}>;
  } else {
    op.run = drops ? arrive<ArrivalKind{true, false, true}> : arrive<ArrivalKind{}>;
  }
}

void lower_bytes(Lowering& lowering) {
  expect_operands(lowering, 2, 2);
  lower_address(lowering, 0);
  lowering.result.strong = true;
  lowering.result.operand[kValue] = lowering.source(lowering.instruction.operands[1], Type::u32);
  lowering.result.run = lowering.selection.has("expect_tx") ? change_bytes<1> : change_bytes<-1>;
}

void lower_arrive_by_copies(Lowering& lowering) {
  expect_operands(lowering, 1, 1);
  lower_address(lowering, 0);
  lowering.result.strong = true;
  lowering.result.run =
      lowering.selection.has("noinc") ? arrive_by_copies<false> : arrive_by_copies<true>;
}

}  // namespace warpcheck::isa::mbarriers
