// Waits for the phases of mbarrier objects (PTX ISA 9.7.13.15.16).
#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "device/virtual/isa/sync/mbarrier_parts.hpp"
#include "device/virtual/machine/block/async_copies.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa::mbarriers {
namespace {

using machine::MbarrierToken;

/// Returns true if the phase of the lane's token has completed. A wrong token is reported; no lane
/// waits for its phase.
bool is_over(Warp& warp, const Op& op, unsigned lane, const Mbarrier& object,
             const MbarrierPlace& place) {
  const MbarrierToken token(warp.lanes<std::uint64_t>(op.operand[kValue])[lane]);
  const Mask bit = Mask{1} << lane;
  if (token.offset != place.in_block()) {
    misuse(warp, op, bit, "the token is not one of this mbarrier object");
    return true;
  }
  if (token.phase > object.phase || token.phase + 1 < object.phase) {
    misuse(warp, op, bit,
           fmt::format(
               "the token is of phase {}; the object is in phase {}, and a wait must be for this "
               "phase or the one before",
               token.phase, object.phase));
    return true;
  }
  return token.phase != object.phase;
}

/// Records a poll, for the diagnosis of a hang.
void note_poll(Warp& warp, const Op& op, Mask lanes, const Mbarrier& object,
               const MbarrierPlace& place) {
  machine::Poll poll;
  poll.warp = warp.index();
  poll.lanes = lanes;
  poll.function = warp.frame().code;
  poll.op = &op;
  poll.call = warp.frame().call;
  poll.event.kind = WaitEvent::Kind::mbarrier;
  poll.event.memory = {*place.container->name, static_cast<std::ptrdiff_t>(place.offset), 8, false};
  poll.event.value = object.phase;
  poll.event.expected = object.pending;
  poll.event.bytes = object.bytes;
  warp.block().note_poll(std::move(poll));
}

/// Completes the copies of the phase for lanes that have waited, and acquires the clock of the
/// phase.
void acquire(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
             Mbarrier& object) {
  machine::Block& block = warp.block();
  for (const machine::IssuedCopies& copies : std::exchange(object.due, {})) {
    block.async_copies().complete(warp, op, copies, object.completed_copies);
  }
  if (!block.looks_for_races()) return;
  checks::BlockClocks& clocks = block.races().clocks();
  clocks.acquire(warp.index(), lanes, object.completed);
  if (object.relaxed || !op.acquires) observe_flag(warp, op, resolved, lanes, 8, true, false);
  std::erase_if(object.completed_copies, [&](checks::AsyncCopyId id) {
    checks::AsyncCopy* copy = block.copy_tracker().find(id);
    if (copy != nullptr) block.copy_tracker().witness(*copy, warp.index(), lanes, clocks);
    return copy == nullptr;
  });
}

/// Executes a wait. Lanes whose wait is invalid do not wait, so that no deadlock follows.
template <bool by_parity>
Flow wait(Warp& warp, const Op& op) {
  const Mask active = warp.active();
  Mask over = active;
  const Flow flow = for_objects(warp, op, [&](const Party& party, const ResolvedAccess& resolved) {
    Mbarrier* object = mbarrier_at(warp, op, party.lanes, party.place);
    if (object == nullptr) return;
    Mask here = 0;
    for (Mask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest(rest);
      bool done = false;
      if constexpr (by_parity) {
        done = (warp.lanes<std::uint32_t>(op.operand[kValue])[lane] & 1) != (object->phase & 1);
      } else {
        done = is_over(warp, op, lane, *object, party.place);
      }
      if (warp.block().faulted()) return;
      here |= Mask{done} << lane;
    }
    observe_object(warp, op, resolved, party.lanes, false);
    if (warp.block().tracing()) note_poll(warp, op, party.lanes & ~here, *object, party.place);
    if (here != 0) acquire(warp, op, resolved, here, *object);
    over &= ~(party.lanes & ~here);
  });
  if (warp.block().faulted()) return flow;
  Mask& result = warp.predicate(op.operand[kResult]);
  result = (result & ~active) | (over & active);
  warp.set_defined(op.operand[kResult], active, machine::kAllLanes);
  return over == active ? flow : warp.yield();
}

/// Executes mbarrier.pending_count. Operand 0 is the result, operand 1 the token.
struct PendingCount {
  static std::uint32_t apply(std::uint64_t token) { return MbarrierToken(token).pending; }
};

}  // namespace

void lower_wait(Lowering& lowering) {
  const Selection& s = lowering.selection;
  expect_operands(lowering, 3, s.has("try_wait") ? 4 : 3);
  lower_address(lowering, 1);
  Op& op = lowering.result;
  op.strong = true;
  const auto& operands = lowering.instruction.operands;
  op.operand[kResult] = lowering.destination(operands[0], Type::pred);
  op.operand[kValue] = lowering.source(operands[2], s.has("parity") ? Type::u32 : Type::b64);
  op.bits[kValue] = s.has("parity") ? 32 : 64;
  op.run = s.has("parity") ? wait<true> : wait<false>;
}

Handler bind_pending_count(const Selection&) {
  return machine::rare_lanewise<PendingCount, std::uint32_t, std::uint64_t>;
}

}  // namespace warpcheck::isa::mbarriers
