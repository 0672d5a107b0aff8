// Functions that the mbarrier instructions share. The rows of the instructions are in mbarrier.cpp;
// arrivals and waits have their own files.
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

/// Operands of the ops. 0: the address; 1: the result or kNoSlot; 2: a count, a number of bytes, a
/// token or a parity, or kNoSlot.
inline constexpr unsigned kResult = 1;
inline constexpr unsigned kValue = 2;

/// Reports an invalid use of an object.
void misuse(Warp& warp, const Op& op, Mask lane, std::string what);

/// Returns false, after reporting a finding, if no object may have this count.
[[nodiscard]] bool check_count(Warp& warp, const Op& op, Mask lane, std::uint32_t count);

/// Adds the object's address, the instruction, and its count, bytes or parity to the digest of the
/// block, if it has one. Tokens are results of other instructions.
void digest(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes);

/// Reports an arrival as an atomic update, and a wait as a strong read, to the race detector.
/// Neither is a flag: only a successful wait acquires a clock, which is that of completed phases.
void observe_object(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                    bool writes);

/// The lanes of an access that access one object.
struct Party {
  Mask lanes;
  MbarrierPlace place;
};

/// Calls act(party, resolved) for each object that the running lanes use. Lanes whose operands are
/// undefined, or whose object lies outside shared memory, use none, which is reported.
template <class Act>
Flow for_objects(Warp& warp, const Op& op, Act act) {
  Mask known = warp.active();
  if (op.operand[kValue] != machine::kNoSlot) known &= warp.defined(op.operand[kValue]);
  if (const Mask unknown = warp.active() & ~known) {
    const Flow flow = warp.skip_after(op, unknown, FindingClass::uninitialized_read,
                                      "an operand of the mbarrier instruction is undefined");
    if (flow == Flow::leave || known == 0) return flow;
  }
  return machine::access(
      warp, op, known, {8, true}, [&](const ResolvedAccess& resolved, Mask lanes) {
        if (machine::is_nowhere(resolved)) return;
        if (resolved.container->space != machine::Space::shared) {
          return misuse(warp, op, lanes, "the mbarrier object lies outside shared memory");
        }
        digest(warp, op, resolved, lanes);
        while (lanes != 0 && !warp.block().faulted()) {
          const std::uint64_t offset = resolved.at(lowest(lanes));
          const Party party{lanes & resolved.lanes_at(offset), {resolved.container, offset}};
          lanes &= ~party.lanes;
          act(party, resolved);
        }
      });
}

/// Lowers the [address] of an object and the other properties that all these instructions share.
void lower_address(Lowering& lowering, std::size_t operand);
void expect_operands(const Lowering& lowering, std::size_t least, std::size_t most);

// Arrivals: mbarrier_arrive.cpp.

/// Lowers `state, [addr]{, count}`, where the state may be `_`.
void lower_arrive(Lowering& lowering);
/// mbarrier.expect_tx and mbarrier.complete_tx.
void lower_bytes(Lowering& lowering);
/// cp.async.mbarrier.arrive.
void lower_arrive_by_copies(Lowering& lowering);

// Waits: mbarrier_wait.cpp.

/// Lowers `done, [addr], state{, time}`. The time for which the hardware may suspend the thread is
/// ignored.
void lower_wait(Lowering& lowering);
[[nodiscard]] Handler bind_pending_count(const Selection& selection);

}  // namespace warpcheck::isa::mbarriers
