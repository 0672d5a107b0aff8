// Barriers of a block, barriers of a warp, fences (PTX ISA 9.7.13.1 to 9.7.13.4).
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/lanes/lane_masks.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kLanes;
using machine::lowest;
using machine::Mask;
using machine::Op;
using machine::Slot;
using machine::Warp;

std::uint32_t count(Mask lanes) { return static_cast<std::uint32_t>(std::popcount(lanes)); }

/// Operands of the ops below. 0: the result of a reduction; 1: the barrier's number; 2: the number
/// of threads or kNoSlot; 3: the predicate of a reduction or kNoSlot.
struct Arrival {
  unsigned barrier = 0;
  std::uint32_t expected = 0;
  std::uint32_t threads = 0;
  std::uint32_t holds = 0;
};

constexpr unsigned kBarriers = 16;  // barriers of a block (PTX ISA 9.7.13.1)

/// The error of an arrival; empty if the arrival is valid.
std::string error_of(const Warp& warp, const Arrival& arrival) {
  if (arrival.barrier >= kBarriers) {
    return fmt::format("barrier {} is named; a block has barriers 0 to 15", arrival.barrier);
  }
  if (arrival.expected == 0 || arrival.expected % kLanes != 0) {
    // Without a thread count, a barrier waits for the whole block, whose size may be any number.
    if (arrival.expected != warp.block().threads()) {
      return fmt::format("barrier {} waits for {} threads, which is no multiple of the warp's 32",
                         arrival.barrier, arrival.expected);
    }
  }
  const machine::Barrier& state = warp.block().barrier(arrival.barrier);
  if (state.arrived != 0 && state.expected != arrival.expected) {
    return fmt::format("barrier {} waits for {} threads here and for {} where others came to it",
                       arrival.barrier, arrival.expected, state.expected);
  }
  if (state.arrived + arrival.threads > arrival.expected) {
    return fmt::format("{} threads come to barrier {}, which waits for {}",
                       state.arrived + arrival.threads, arrival.barrier, arrival.expected);
  }
  return {};
}

Arrival arrival_of(const Warp& warp, const Op& op) {
  const Mask active = warp.active();
  const unsigned lane = lowest(active);
  Arrival arrival;
  arrival.barrier = warp.lanes<std::uint32_t>(op.operand[1])[lane];
  arrival.threads = count(active);
  arrival.expected = warp.block().threads();
  if (op.operand[2] != machine::kNoSlot) {
    arrival.expected = warp.lanes<std::uint32_t>(op.operand[2])[lane];
    // Counted barriers count warps: the block's last warp may have fewer than 32 threads.
    if (active == warp.started()) arrival.threads = kLanes;
  }
  if (op.operand[3] != machine::kNoSlot) {
    const Mask holds = warp.predicate(op.operand[3]) ^ (op.guard_negated ? machine::kAllLanes : 0);
    arrival.holds = count(holds & active);
  }
  return arrival;
}

void digest(Warp& warp, checks::Act act, std::uint64_t what) {
  if (!warp.block().digests()) return;
  warp.block().digest().order(warp.index(), warp.active(), act, what);
}

template <bool waits>
Flow arrive(Warp& warp, const Op& op) {
  for (const unsigned index : {1U, 2U, 3U}) {
    const Slot slot = op.operand[index];
    if (slot == machine::kNoSlot) continue;
    const Mask unknown = warp.active() & ~warp.defined(slot);
    if (unknown != 0 &&
        !warp.goes_on_with_undefined(op, slot, unknown, "an operand of the barrier is undefined")) {
      return Flow::leave;
    }
  }
  const Arrival arrival = arrival_of(warp, op);
  if (std::string error = error_of(warp, arrival); !error.empty()) {
    // The threads continue without waiting, and do not count as arrived.
    return warp.skip_after(op, warp.active(), FindingClass::barrier_divergence, std::move(error));
  }
  digest(warp, checks::Act::barrier,
         std::uint64_t{arrival.expected} << 8 | arrival.barrier << 1 | (waits ? 1 : 0));
  Flow flow = Flow::next;
  if constexpr (waits) flow = warp.wait_at_barrier(op, arrival.barrier);
  warp.block().races().clocks().arrive(arrival.barrier, warp.index(), warp.active(), waits);
  warp.block().arrive(arrival.barrier, warp.index(), arrival.threads, arrival.expected,
                      arrival.holds, op.operand[2] == machine::kNoSlot);
  return flow;
}

enum class Reduction { popc, all, any };

/// Writes the result of a reduction, after the barrier has released the fragment.
template <Reduction reduction>
Flow reduced(Warp& warp, const Op& op) {
  const unsigned number = warp.lanes<std::uint32_t>(op.operand[1])[lowest(warp.active())];
  const machine::Barrier barrier =
      number < kBarriers ? warp.block().barrier(number) : machine::Barrier{};
  if constexpr (reduction == Reduction::popc) {
    machine::write_lanes<std::uint32_t>(warp, op.operand[0],
                                        [&](unsigned) { return barrier.last_holds; });
  } else {
    const bool holds = reduction == Reduction::any ? barrier.last_holds != 0
                                                   : barrier.last_holds == barrier.last_arrived;
    machine::write_lanes<machine::Predicate>(warp, op.operand[0], [&](unsigned) { return holds; });
  }
  warp.set_defined(op.operand[0], warp.active(), machine::kAllLanes);
  return Flow::next;
}

void lower_sync(Lowering& lowering) {
  Op& op = lowering.result;
  const auto& operands = lowering.instruction.operands;
  const bool arrives_only = lowering.selection.has("arrive");
  if (operands.empty() || operands.size() > 2 || (arrives_only && operands.size() != 2)) {
    throw DecodeError("a barrier and a number of threads are expected");
  }
  op.operand[1] = lowering.source(operands[0], Type::u32);
  op.operand[2] = operands.size() == 2 ? lowering.source(operands[1], Type::u32) : machine::kNoSlot;
  op.operand[3] = machine::kNoSlot;
  op.run = arrives_only ? arrive<false> : arrive<true>;
}

void lower_reduction(Lowering& lowering) {
  Op& op = lowering.result;
  const auto& operands = lowering.instruction.operands;
  if (operands.size() < 3 || operands.size() > 4) {
    throw DecodeError("a result, a barrier, a number of threads and a predicate are expected");
  }
  const auto* predicate = std::get_if<ptx::Register>(&operands.back());
  if (predicate == nullptr) throw DecodeError("the last operand is not a predicate");
  op.operand[1] = lowering.source(operands[1], Type::u32);
  op.operand[2] = operands.size() == 4 ? lowering.source(operands[2], Type::u32) : machine::kNoSlot;
  op.operand[3] = lowering.source(ptx::Operand(ptx::Register{predicate->index, false}), Type::pred);
  op.guard_negated = predicate->negated;
  op.run = arrive<true>;

  Op result = op;
  result.operand[0] = lowering.destination(operands[0], lowering.selection.type());
  result.run = lowering.selection.has("popc")  ? reduced<Reduction::popc>
               : lowering.selection.has("and") ? reduced<Reduction::all>
                                               : reduced<Reduction::any>;
  lowering.follow_up = result;
}

/// bar.warp.sync: operand 1 is the mask of lanes.
Flow warp_barrier(Warp& warp, const Op& op) {
  if (const Mask unknown = warp.active() & ~warp.defined(op.operand[1])) {
    if (!warp.goes_on_with_undefined(op, op.operand[1], unknown,
                                     "the mask of lanes is undefined")) {
      return Flow::leave;
    }
  }
  machine::LaneMasks masks(warp, op.operand[1]);
  if (!masks.name_their_lanes(warp, op, "waits")) return Flow::leave;
  const Mask expected = masks[lowest(warp.active())];
  Mask others = 0;  // lanes that wait with another mask
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (masks[lane] != expected) others |= warp.active() & Mask{1} << lane;
  }
  warp.postpone(others);
  digest(warp, checks::Act::warp_barrier, expected);
  return warp.warp_barrier(op, expected);
}

/// Reports a fence to the race detector. The machine executes memory accesses in order. A fence
/// with one direction forms only a pattern of that direction (PTX ISA 8.8).
Flow fence(Warp& warp, const Op& op) {
  warp.count_poll();  // a loop may read a flag by weak loads
  digest(warp, checks::Act::fence, static_cast<std::uint64_t>(op.scope));
  warp.block().races().clocks().fence(warp.index(), warp.active(),
                                      {op.scope, op.acquires, op.releases});
  return Flow::next;
}
void fence_proxies_of(machine::Block& block) {
  if (block.proxy_writes().tracks()) block.proxy_writes().fence();
}
/// Executes a fence between the generic and the async proxy for the shared memory of every block of
/// the cluster.
Flow fence_proxies(Warp& warp, const Op&) {
  const machine::Cluster* const cluster = warp.block().cluster();
  if (cluster == nullptr) fence_proxies_of(warp.block());
  for (std::uint32_t rank = 0; cluster != nullptr && rank < cluster->size(); ++rank) {
    if (machine::Block* const block = cluster->block(rank)) fence_proxies_of(*block);
  }
  return Flow::next;
}
/// Executes a fence after mbarrier.init for the other blocks of a cluster. It requires a barrier of
/// the cluster too.
Flow fence_inits(Warp& warp, const Op&) {
  if (warp.block().cluster() != nullptr) {
    warp.block().cluster()->fence_inits(warp, warp.active());
  }
  return Flow::next;
}
/// Executes a fence between other proxies, which the machine does not distinguish.
Flow nothing(Warp&, const Op&) { return Flow::next; }
void lower_fence(Lowering& lowering) {
  const Selection& s = lowering.selection;
  Op& op = lowering.result;
  op.scope = scope_of(s);
  op.acquires = !s.has("release");
  op.releases = !s.has("acquire");
  // This fence lies in both proxies: a release or acquire pattern for the map (PTX ISA 9.7.13.4).
  const bool is_map = s.has("tensormap::generic");
  const bool is_shared = s.has("proxy") && !is_map && !s.has("alias") && !s.has("global");
  op.run = is_shared                ? fence_proxies
           : is_map                 ? fence
           : s.has("proxy")         ? nothing
           : s.has("mbarrier_init") ? fence_inits
                                    : fence;
}

void lower_warp_barrier(Lowering& lowering) {
  if (lowering.operand_count() != 1) throw DecodeError("a mask of lanes is expected");
  lowering.result.operand[1] = lowering.source(lowering.instruction.operands[0], Type::b32);
  lowering.result.run = warp_barrier;
}

constexpr std::string_view kScopes = "[sc|acq_rel|acquire|release] cta|cluster|gpu|sys";

constexpr std::array kForms = {
    Form{"bar", "[cta] sync|arrive", "", "", "9.7.13.1", nullptr, nullptr, lower_sync, true},
    Form{"bar", "[cta] red popc", "u32", "", "9.7.13.1", nullptr, nullptr, lower_reduction, true},
    Form{"bar", "[cta] red and|or", "pred", "", "9.7.13.1", nullptr, nullptr, lower_reduction,
         true},
    Form{"barrier", "[cta] sync|arrive [aligned]", "", "", "9.7.13.1", nullptr, nullptr, lower_sync,
         true},
    Form{"barrier", "[cta] red popc [aligned]", "u32", "", "9.7.13.1", nullptr, nullptr,
         lower_reduction, true},
    Form{"barrier", "[cta] red and|or [aligned]", "pred", "", "9.7.13.1", nullptr, nullptr,
         lower_reduction, true},
    Form{"bar", "warp sync", "", "", "9.7.13.2", nullptr, nullptr, lower_warp_barrier, true},
    Form{"membar", "cta|gl|sys|gpu", "", "", "9.7.13.4", nullptr, nullptr, lower_fence},
    Form{"fence", kScopes, "", "", "9.7.13.4", nullptr, nullptr, lower_fence},
    Form{"fence", "proxy alias", "", "", "9.7.13.4", nullptr, nullptr, lower_fence},
    Form{"fence", "proxy async [global|shared::cta|shared::cluster]", "", "", "9.7.13.4", nullptr,
         nullptr, lower_fence},
    Form{"fence", "proxy tensormap::generic release|acquire cta|cluster|gpu|sys", "", "",
         "9.7.13.4", nullptr, nullptr, lower_fence},
    Form{"fence", "mbarrier_init release cluster", "", "", "9.7.13.4", nullptr, nullptr,
         lower_fence},
    Form{"fence", "acquire sync_restrict::shared::cluster cluster", "", "", "9.7.13.4", nullptr,
         nullptr, lower_fence},
    Form{"fence", "release sync_restrict::shared::cta cluster", "", "", "9.7.13.4", nullptr,
         nullptr, lower_fence},
    Form{"fence", "proxy async::generic acquire sync_restrict::shared::cluster cluster", "", "",
         "9.7.13.4", nullptr, nullptr, lower_fence},
    Form{"fence", "proxy async::generic release sync_restrict::shared::cta cluster", "", "",
         "9.7.13.4", nullptr, nullptr, lower_fence},
};

}  // namespace

std::span<const Form> barrier_forms() { return kForms; }

}  // namespace warpcheck::isa
