#include "device/virtual/machine/block/warpgroup_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {
namespace {

bool holds(std::span<const Slot> slots, Slot slot) {
  return std::find(slots.begin(), slots.end(), slot) != slots.end();
}

bool overlap(std::span<const Slot> one, std::span<const Slot> other) {
  return std::any_of(one.begin(), one.end(), [&](Slot slot) { return holds(other, slot); });
}

bool equal(std::span<const Slot> one, std::span<const Slot> other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

}  // namespace

void WarpgroupProducts::start(std::size_t warps) {
  warps_.assign(warps, {});
  groups_.assign((warps + kWarpsOfGroup - 1) / kWarpsOfGroup, {});
}

void WarpgroupProducts::fence(unsigned warp) { warps_[warp].fenced = ++warps_[warp].time; }

void WarpgroupProducts::report(Warp& warp, const Op& op, const Write& other, bool other_writes,
                               Race race) {
  Block& block = warp.block();
  const RacingOps ops{other.op->number, op.number, Grade::failure};
  if (!block.looks_for_races() || block.is_repeated_race(ops)) return;
  const unsigned lane = lowest(warp.active());
  Finding finding = warp.finding(op, Mask{1} << lane, FindingClass::race, {}, std::nullopt);
  finding.race = std::move(race);
  finding.other = OtherAccess{source_place(*block.launch().program, *other.code, *other.op),
                              block.place(warp.index(), lane), other_writes};
  block.add_race(ops, std::move(finding));
}

void WarpgroupProducts::check_registers(Warp& warp, const Op& op,
                                        const ProductRegisters& registers) {
  PerWarp& state = warps_[warp.index()];
  const FunctionCode* const code = warp.frame().code;
  if (state.fenced == 0) {
    report(warp, op, {&op, code}, true, {.kind = Race::Kind::first_product});
  }
  for (const std::span<const Slot> slots : {registers.accumulators, registers.factors}) {
    for (const Slot slot : slots) {
      const auto write = state.writes.find(slot.index);
      if (write == state.writes.end() || write->second.time < state.fenced) continue;
      report(warp, op, write->second, true, {.kind = Race::Kind::written_register});
    }
  }
  for (const Product& product : state.in_flight) {
    if (product.code != code) continue;
    const ProductRegisters& used = product.registers;
    const bool chained =
        equal(used.accumulators, registers.accumulators) && used.shape == registers.shape;
    if ((chained || !overlap(used.accumulators, registers.accumulators)) &&
        !overlap(used.accumulators, registers.factors) &&
        !overlap(used.factors, registers.accumulators)) {
      continue;
    }
    report(warp, op, {product.op, product.code}, true, {.kind = Race::Kind::used_registers});
  }
}

void WarpgroupProducts::touch(Warp& warp, const Op& op) {
  PerWarp& state = warps_[warp.index()];
  const FunctionCode* const code = warp.frame().code;
  for (const TouchedRegister& touched : op.detail->touched) {
    for (const Product& product : state.in_flight) {
      if (product.code != code) continue;
      const bool accumulates = holds(product.registers.accumulators, touched.slot);
      if (!accumulates && !(touched.written && holds(product.registers.factors, touched.slot)))
        continue;
      report(warp, op, {product.op, product.code}, accumulates,
             {.kind = Race::Kind::product_register,
              .writes = touched.written,
              .register_name = code->source->registers[touched.number].name});
      break;
    }
    if (touched.written) state.writes[touched.slot.index] = {&op, code, ++state.time};
  }
}

void WarpgroupProducts::take_chunks(Warp& warp, const Op& op, Shared& shared,
                                    std::span<const ChunkRead> reads) {
  Block& block = warp.block();
  if (!block.looks_for_races()) return;
  constexpr std::size_t kCells = 16 / checks::AsyncCopyTracker::kCellBytes;
  if (shared.id == checks::kNoAsyncCopy) {
    checks::AsyncCopy tracked;
    tracked.code = warp.frame().code;
    tracked.op = &op;
    tracked.block = block.races().clocks().block();
    tracked.warp = warp.index();
    tracked.reads = true;
    tracked.multiplies = true;
    tracked.sequence = warp.index() / kWarpsOfGroup;
    shared.id = block.copy_tracker().add(std::move(tracked));
  }
  for (const ChunkRead& read : reads) {
    block.copy_tracker().take(
        shared.id, 0,
        (read.container->shared_begin + read.offset) / checks::AsyncCopyTracker::kCellBytes,
        kCells);
  }
}

bool WarpgroupProducts::issue(Warp& warp, const Op& op, const ProductRegisters& registers,
                              std::uint64_t operands, std::span<const ChunkRead> reads) {
  PerWarp& state = warps_[warp.index()];
  PerGroup& group = groups_[warp.index() / kWarpsOfGroup];
  const std::uint64_t number = state.issued++;
  if (number - group.first == group.products.size()) group.products.push_back({&op, operands});
  Shared& shared = group.products[number - group.first];
  if (shared.op != &op || shared.operands != operands) return false;
  take_chunks(warp, op, shared, reads);
  state.in_flight.push_back({&op, warp.frame().code, number, state.groups, registers});
  warp.block().note_change();
  return true;
}

/// Completes a product for a warp. A warp that waits for a product waits for all of it, because the
/// warps multiply together.
void WarpgroupProducts::complete(Warp& warp, std::uint64_t number) {
  PerGroup& group = groups_[warp.index() / kWarpsOfGroup];
  Shared& shared = group.products[number - group.first];
  ++shared.waits;
  if (shared.id != checks::kNoAsyncCopy) {
    checks::AsyncCopyTracker& tracker = warp.block().copy_tracker();
    tracker.witness(*tracker.find(shared.id), warp.index(), kAllLanes,
                    warp.block().races().clocks());
    if (shared.waits == kWarpsOfGroup) tracker.retire(shared.id);
  }
  while (!group.products.empty() && group.products.front().waits == kWarpsOfGroup) {
    group.products.erase(group.products.begin());
    ++group.first;
  }
}

bool WarpgroupProducts::wait(Warp& warp, std::uint32_t pending) {
  PerWarp& state = warps_[warp.index()];
  PerGroup& group = groups_[warp.index() / kWarpsOfGroup];
  if (group.waiting == 0) group.issued = state.issued;
  if (group.issued != state.issued) return false;
  group.waiting = (group.waiting + 1) % kWarpsOfGroup;
  const auto waits_for = [&](const Product& product) {
    return state.groups - product.group > pending;
  };
  for (const Product& product : state.in_flight) {
    if (waits_for(product)) complete(warp, product.number);
  }
  std::erase_if(state.in_flight, waits_for);
  return true;
}

/// The warps of a group. Only the last group of a block may have fewer warps than the others.
std::span<WarpgroupProducts::PerWarp> WarpgroupProducts::group_of(unsigned warp) {
  const std::size_t first = warp / kWarpsOfGroup * kWarpsOfGroup;
  return std::span(warps_).subspan(first,
                                   std::min<std::size_t>(kWarpsOfGroup, warps_.size() - first));
}

bool WarpgroupProducts::set_registers(const Warp& warp, const Op& op) {
  std::vector<RegisterRequest>& requests = warps_[warp.index()].requests;
  const std::size_t number = requests.size();
  requests.push_back({&op, warp.frame().code});
  const auto group = group_of(warp.index());
  return std::all_of(group.begin(), group.end(), [&](const PerWarp& other) {
    return other.requests.size() <= number || other.requests[number].op->immediate == op.immediate;
  });
}

void WarpgroupProducts::exit(Warp& warp) {
  warps_[warp.index()].ended = true;
  const auto group = group_of(warp.index());
  if (!std::all_of(group.begin(), group.end(), [](const PerWarp& one) { return one.ended; })) {
    return;
  }
  const auto fewer = [](const PerWarp& one, const PerWarp& other) {
    return one.requests.size() < other.requests.size();
  };
  const auto [least, most] = std::minmax_element(group.begin(), group.end(), fewer);
  const std::size_t missing = least->requests.size();
  if (missing == most->requests.size()) return;
  const RegisterRequest& request = most->requests[missing];
  const auto executed = std::count_if(group.begin(), group.end(), [&](const PerWarp& one) {
    return one.requests.size() > missing;
  });
  Finding finding;
  finding.kind = FindingClass::barrier_divergence;
  finding.message =
      fmt::format("{} of the {} warps of a warpgroup execute this setmaxnreg: all of them must",
                  executed, group.size());
  finding.source = source_place(*warp.block().launch().program, *request.code, *request.op);
  finding.thread = warp.block().place(static_cast<unsigned>(&*most - warps_.data()), 0);
  warp.block().add_finding(std::move(finding));
}

}  // namespace warpcheck::machine
