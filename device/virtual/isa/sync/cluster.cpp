// Clusters of blocks: their barrier (PTX ISA 9.7.13.3), and addresses in the shared memory of
// another block (9.7.9.22, 9.7.9.23).
#include "device/virtual/machine/block/cluster.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa {
namespace {

using machine::Cluster;
using machine::Flow;
using machine::kClusterRankBits;
using machine::kLanes;
using machine::Mask;
using machine::Op;
using machine::Warp;

Flow arrive(Warp& warp, const Op& op) {
  Cluster& cluster = *warp.block().cluster();
  if (const Mask again = warp.active() & cluster.arrived(warp)) {
    if (!warp.goes_on_after(
            op, again, FindingClass::barrier_divergence,
            "a second arrival at the barrier of the cluster, without a wait between")) {
      return Flow::leave;
    }
  }
  cluster.arrive(warp, warp.active() & ~cluster.arrived(warp), op.releases);
  return Flow::next;
}

Flow wait(Warp& warp, const Op& op) {
  Cluster& cluster = *warp.block().cluster();
  const Mask active = warp.active();
  if (const Mask absent = active & ~cluster.arrived(warp)) {
    if (!warp.goes_on_after(op, absent, FindingClass::barrier_divergence,
                            "a wait at the barrier of the cluster without an arrival before it")) {
      return Flow::leave;
    }
    warp.postpone(active & ~absent);  // these lanes do not wait
    return Flow::next;
  }
  if ((active & cluster.pending(warp)) != 0) {
    return warp.wait_at_barrier(op, machine::kClusterBarrier);
  }
  cluster.pass(warp, active);
  return Flow::next;
}

void require_cluster(Lowering& lowering) {
  lowering.function.code().communicates = true;
  lowering.function.code().uses_cluster = true;
}

void lower_barrier(Lowering& lowering) {
  if (lowering.operand_count() != 0) throw DecodeError("no operand is expected");
  const Selection& s = lowering.selection;
  require_cluster(lowering);
  lowering.result.releases = !s.has("relaxed");
  lowering.result.run = s.has("arrive") ? arrive : wait;
}

/// Executes mapa, which returns the address in the block of a rank. Operand 2 is the rank; the
/// immediate is the window of the address.
template <class T>
Flow map_address(Warp& warp, const Op& op) {
  const auto window = static_cast<std::uint64_t>(op.immediate);
  const std::uint32_t blocks = machine::blocks_of_cluster(warp.block().launch());
  const auto* const ranks = warp.lanes<std::uint32_t>(op.operand[2]);
  const Mask known = warp.defined(op.operand[1]) & warp.defined(op.operand[2]);
  if (const Mask unknown = warp.active() & ~known) {
    if (!warp.goes_on_after(op, unknown, FindingClass::uninitialized_read,
                            "the address or the rank of the block is undefined")) {
      return Flow::leave;
    }
  }
  for (Mask rest = warp.active() & known; rest != 0; rest &= rest - 1) {
    const unsigned lane = machine::lowest(rest);
    if (ranks[lane] < blocks) continue;
    if (!warp.goes_on_after(
            op, Mask{1} << lane, FindingClass::out_of_bounds,
            fmt::format("block {} of a cluster that has {}", ranks[lane], blocks))) {
      return Flow::leave;
    }
  }
  const auto* const addresses = warp.lanes<T>(op.operand[1]);
  machine::write_lanes<T>(warp, op.operand[0], [&](unsigned lane) {
    const std::uint64_t offset =
        (addresses[lane] - window) & ((std::uint64_t{1} << kClusterRankBits) - 1);
    return static_cast<T>(window + ((std::uint64_t{ranks[lane]} + 1) << kClusterRankBits) + offset);
  });
  warp.set_defined(op.operand[0], warp.active(), machine::kAllLanes);
  return Flow::next;
}

/// Executes getctarank. Operand 1 is the address.
template <class T>
Flow rank_of_address(Warp& warp, const Op& op) {
  const std::uint32_t own = warp.block().cluster()->rank_of(warp.block());
  const auto window = static_cast<std::uint64_t>(op.immediate);
  const auto* const addresses = warp.lanes<T>(op.operand[1]);
  const Mask known = warp.defined(op.operand[1]);
  if (const Mask unknown = warp.active() & ~known) {
    if (!warp.goes_on_after(op, unknown, FindingClass::uninitialized_read,
                            "the address is undefined")) {
      return Flow::leave;
    }
  }
  machine::write_lanes<std::uint32_t>(warp, op.operand[0], [&](unsigned lane) {
    const std::uint64_t rank = (addresses[lane] - window) >> kClusterRankBits;
    return rank == 0 ? own : static_cast<std::uint32_t>(rank - 1);
  });
  warp.set_defined(op.operand[0], warp.active(), machine::kAllLanes);
  return Flow::next;
}

/// The slot of a variable or register that is the address of an operand; the op gives its window.
machine::Slot address_slot(Lowering& lowering, const ptx::Operand& operand, Type type) {
  const auto* symbol = std::get_if<ptx::Symbol>(&operand);
  if (symbol == nullptr) return lowering.source(operand, type);
  const SymbolPlace place = lowering.function.place_of(*symbol);
  if (place.frame_relative) throw DecodeError("the variable is not in shared memory");
  return lowering.function.constant(
      place.address + static_cast<std::uint64_t>(lowering.result.immediate), bits_of(type));
}

/// `d, a, rank` or `d, a`.
void lower_address_of_block(Lowering& lowering) {
  const bool maps = lowering.instruction.parts.front() == "mapa";
  if (lowering.operand_count() != (maps ? 3U : 2U)) throw DecodeError("an operand is missing");
  const Selection& s = lowering.selection;
  const auto& operands = lowering.instruction.operands;
  const bool wide = s.type() == Type::u64;
  const bool generic = !s.has("shared::cluster");
  Op& op = lowering.result;
  op.immediate = generic ? static_cast<std::int64_t>(machine::kSharedWindow) : 0;
  if (generic && !wide) throw DecodeError("generic addresses have 64 bits");
  const Type address = maps || wide ? s.type() : Type::u32;
  op.operand[1] = address_slot(lowering, operands[1], address);
  op.operand[0] = lowering.destination(operands[0], maps ? s.type() : Type::u32);
  require_cluster(lowering);
  if (maps) {
    op.operand[2] = lowering.source(operands[2], Type::u32);
    op.run = wide ? map_address<std::uint64_t> : map_address<std::uint32_t>;
  } else {
    op.run = wide ? rank_of_address<std::uint64_t> : rank_of_address<std::uint32_t>;
  }
}

constexpr std::array kForms = {
    Form{"barrier", "cluster arrive [release|relaxed] [aligned]", "", "", "9.7.13.3", nullptr,
         nullptr, lower_barrier, true},
    Form{"barrier", "cluster wait [acquire] [aligned]", "", "", "9.7.13.3", nullptr, nullptr,
         lower_barrier, true},
    Form{"mapa", "[shared::cluster]", "u32 u64", "", "9.7.9.22", nullptr, nullptr,
         lower_address_of_block},
    Form{"getctarank", "[shared::cluster]", "u32 u64", "", "9.7.9.23", nullptr, nullptr,
         lower_address_of_block},
};

}  // namespace

std::span<const Form> cluster_forms() { return kForms; }

}  // namespace warpcheck::isa
