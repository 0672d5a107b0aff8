// What the mbarrier instructions have in common. Their rows are in mbarrier.cpp; arrivals and waits
// have files of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/isa/sync/mbarrier.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa::mbarriers {

using machine::Flow;
using machine::lowest;
using machine::Mask;
using machine::Mbarrier;
using machine::Op;
using machine::ResolvedAccess;
using machine::Warp;

/// Operands of the ops: 0 the address, 1 the result or kNoSlot, 2 a count, a number of bytes, a
/// token or a parity, or kNoSlot.
inline constexpr unsigned kResult = 1;
inline constexpr unsigned kValue = 2;

/// The finding that an object is not used as it may be. Ends the launch.
Flow misuse(Warp& warp, const Op& op, Mask lane, std::string what);

/// False after a complaint where no object counts so far.
[[nodiscard]] bool check_count(Warp& warp, const Op& op, Mask lane, std::uint32_t count);

/// Tells the block's digest, where it has one, of the object's address, the instruction, and its
/// count, bytes or parity; tokens are results of others.
void digest(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes);

/// The race detector sees an arrival as an atomic update and a wait as a strong read, but no flag:
/// only a wait that succeeds tells anything, and only of phases that are over.
void observe_object(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes, bool writes);

/// Lanes of the access that go to one object.
struct Party {
  Mask lanes;
  MbarrierPlace place;
};

/// Calls act(party, reach) for each object that the running lanes go to, until one of them faults.
template <class Act>
Flow for_objects(Warp& warp, const Op& op, Act act) {
  if (op.operand[kValue] != machine::kNoSlot) {
    if (const Mask unknown = warp.active() & ~warp.defined(op.operand[kValue])) {
      return warp.fault(op, unknown, FindingClass::uninitialized_read,
                        "an operand of the mbarrier instruction is undefined");
    }
  }
  return machine::access(warp, op, {8, true}, [&](const ResolvedAccess& reach, Mask lanes) {
    if (reach.container->space != machine::Space::shared) {
      static_cast<void>(misuse(warp, op, lanes, "the mbarrier object lies outside shared memory"));
      return;
    }
    digest(warp, op, reach, lanes);
    while (lanes != 0 && !warp.block().faulted()) {
      const std::uint64_t offset = reach.at(lowest(lanes));
      const Party party{lanes & reach.lanes_at(offset), {reach.container, offset}};
      lanes &= ~party.lanes;
      act(party, reach);
    }
  });
}

/// Decodes the [address] of an object, and what else is the same of all that act on one.
void lower_address(Lowering& lowering, std::size_t operand);
void expect_operands(const Lowering& lowering, std::size_t least, std::size_t most);

// Arrivals: mbarrier_arrive.cpp.

/// `state, [addr]{, count}`, where the state may be `_`.
void lower_arrive(Lowering& lowering);
/// mbarrier.expect_tx and mbarrier.complete_tx.
void lower_bytes(Lowering& lowering);
/// cp.async.mbarrier.arrive.
void lower_arrive_by_copies(Lowering& lowering);

// Waits: mbarrier_wait.cpp.

/// `done, [addr], state{, time}`: how long the hardware may suspend the thread is its own affair.
void lower_wait(Lowering& lowering);
[[nodiscard]] Handler bind_pending_count(const Selection& selection);

}  // namespace warpcheck::isa::mbarriers
