#include "device/virtual/machine/block/bulk_stores.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "device/virtual/checks/global_races.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/family/grid_family.hpp"

namespace warpcheck::machine {
namespace {

using checks::AsyncCopyTracker;

void report_early_exit(Warp& warp, const BulkStore& store) {
  Finding finding;
  finding.kind = FindingClass::race;
  finding.race = Race{.kind = Race::Kind::exit_before_read};
  finding.source = source_place(*warp.block().launch().program, *store.code, *store.op);
  finding.thread = warp.block().place(warp.index(), store.lane);
  warp.block().add_finding(std::move(finding));
}

}  // namespace

void BulkStores::issue(Warp& warp, BulkStore store) {
  Block& block = warp.block();
  PerWarp& copies = warps_[warp.index()];
  store.code = warp.frame().code;
  store.group = copies.groups[store.lane];
  const Mask bit = Mask{1} << store.lane;
  const LaneOffsets none{};
  for (const BulkStore::Source& source : store.sources) {
    observe_read(
        warp, *store.op,
        {source.container.bytes.data + source.offset, source.container.bytes.shadow + source.offset,
         none.data(), &source.container, Pattern::equal, source.offset},
        bit, source.bytes);
    check_proxy_writes(warp, *store.op, source.container, source.offset, source.bytes, store.lane);
  }
  if (block.looks_for_races()) {
    track_reads(warp, store);
    track_writes(warp, store);
  }
  if (block.observer() != nullptr) {
    block.observer()->transfer(warp, *store.op, store.data.size());
  }
  block.note_change();
  copies.in_flight.push_back(std::move(store));
}

void BulkStores::track_reads(Warp& warp, BulkStore& store) {
  Block& block = warp.block();
  checks::AsyncCopy tracked;
  tracked.code = store.code;
  tracked.op = store.op;
  tracked.block = block.races().clocks().block();
  tracked.warp = warp.index();
  tracked.reads = true;
  tracked.sequence = warp.index() * kLanes + store.lane;
  store.id = block.copy_tracker().add(std::move(tracked));
  for (const BulkStore::Source& source : store.sources) {
    const std::size_t first =
        (source.container.shared_begin + source.offset) / AsyncCopyTracker::kCellBytes;
    block.copy_tracker().take(store.id, store.lane, first,
                              source.bytes / AsyncCopyTracker::kCellBytes);
  }
}

/// Adds the destination to those of copies in flight. Omits the content if it is not needed.
void BulkStores::add_destination(Warp& warp, BulkStore& store, bool with_content) {
  std::vector<checks::BulkDestinations::Range> ranges;
  for (const BulkStore::Piece& piece : store.pieces) {
    ranges.push_back({piece.container.base + piece.offset, piece.bytes,
                      with_content ? store.data.data() + piece.first : nullptr});
  }
  const checks::BlockClocks& clocks = warp.block().races().clocks();
  store.destination = warp.block().launch().global_races->bulk_destinations().add(
      {clocks.block(), warp.index(), store.lane, clocks.now(warp.index()), store.op->number,
       store.reduction.combine != nullptr},
      ranges);
}

/// Tracks the write, which may occur from now on: earlier accesses must be ordered before the
/// issue.
void BulkStores::track_writes(Warp& warp, BulkStore& store) {
  const checks::BulkDestinations& destinations =
      warp.block().launch().global_races->bulk_destinations();
  const bool reduces = store.reduction.combine != nullptr;
  const Mask bit = Mask{1} << store.lane;
  const LaneOffsets none{};
  const LaneOrder order(0, 0);
  for (const BulkStore::Piece& piece : store.pieces) {
    const ResolvedAccess resolved{piece.container.bytes.data + piece.offset,
                                  piece.container.bytes.shadow + piece.offset,
                                  none.data(),
                                  &piece.container,
                                  Pattern::equal,
                                  piece.offset};
    if (!may_race(resolved)) continue;
    const std::byte* const content = store.data.data() + piece.first;
    const bool same =
        !reduces &&
        (std::memcmp(resolved.data, content, piece.bytes) == 0 ||
         destinations.writes_the_same({piece.container.base + piece.offset, piece.bytes, content}));
    observe_global(warp, *store.op, resolved, bit, piece.bytes, true, same ? bit : Mask{0},
                   reduces ? &order : nullptr);
  }
  add_destination(warp, store, true);
}

void BulkStores::commit(unsigned warp, Mask lanes) {
  for (unsigned lane = 0; lane < kLanes; ++lane) warps_[warp].groups[lane] += lanes >> lane & 1;
}

void BulkStores::complete_reads(Warp& warp, BulkStore& store) {
  if (std::exchange(store.was_read, true) || store.id == checks::kNoAsyncCopy) return;
  Block& block = warp.block();
  checks::AsyncCopy* copy = block.copy_tracker().find(store.id);
  block.copy_tracker().witness(*copy, warp.index(), Mask{1} << store.lane, block.races().clocks());
  block.copy_tracker().retire(store.id);
}

void BulkStores::write(Warp& warp, const Op& op, const BulkStore& store) {
  if (store.destination != 0) {
    warp.block().launch().global_races->bulk_destinations().complete(store.destination);
  }
  const Mask bit = Mask{1} << store.lane;
  const LaneOffsets none{};
  for (const BulkStore::Piece& piece : store.pieces) {
    std::byte* const data = piece.container.bytes.data + piece.offset;
    std::byte* const shadow = piece.container.bytes.shadow + piece.offset;
    const ResolvedAccess resolved{data,           shadow,      none.data(), &piece.container,
                                  Pattern::equal, piece.offset};
    if (piece.container.allocation->needs_care()) {
      inspect_store(warp, op, resolved, bit, 0, piece.bytes);
    }
    if (store.reduction.combine != nullptr) {
      combine_elements(store.reduction, {data, shadow, piece.bytes},
                       store.data.data() + piece.first, store.shadow.data() + piece.first);
      warp.block().note_change();
      observe_update(warp, op, resolved, bit, piece.bytes, LaneOrder(0, 0));
    } else {
      const std::lock_guard turn(warp.block().launch().family->store_mutex());
      const bool same = std::memcmp(data, store.data.data() + piece.first, piece.bytes) == 0;
      std::memcpy(data, store.data.data() + piece.first, piece.bytes);
      std::memcpy(shadow, store.shadow.data() + piece.first, piece.bytes);
      observe_write(warp, op, resolved, bit, piece.bytes, same ? bit : Mask{0});
    }
    if (std::any_of(shadow, shadow + piece.bytes,
                    [](std::byte known) { return known != std::byte{0xff}; })) {
      report_undefined_store(warp, op, resolved, bit, 0, piece.bytes);
    }
  }
}

void BulkStores::wait(Warp& warp, const Op& op, Mask lanes, std::uint32_t pending,
                      bool only_reads) {
  PerWarp& copies = warps_[warp.index()];
  const auto waits_for = [&](const BulkStore& store) {
    return (lanes >> store.lane & 1) != 0 && copies.groups[store.lane] - store.group > pending;
  };
  for (BulkStore& store : copies.in_flight) {
    if (!waits_for(store)) continue;
    complete_reads(warp, store);
    // The checks require an op of the running function.
    if (!only_reads) write(warp, warp.frame().code == store.code ? *store.op : op, store);
  }
  if (!only_reads) std::erase_if(copies.in_flight, waits_for);
}

void BulkStores::exit(Warp& warp, Mask lanes) {
  const FunctionCode& kernel = *warp.frame().code;
  PerWarp& copies = warps_[warp.index()];
  const auto exits = [&](const BulkStore& store) { return (lanes >> store.lane & 1) != 0; };
  for (BulkStore& store : copies.in_flight) {
    if (!exits(store) || warp.block().faulted()) continue;
    if (!store.was_read && warp.block().looks_for_races()) report_early_exit(warp, store);
    complete_reads(warp, store);
    write(warp, &kernel == store.code ? *store.op : kernel.ops.back(), store);
    // No thread waits for the copy, so that it may write until the grid ends.
    if (store.destination != 0) add_destination(warp, store, false);
  }
  std::erase_if(copies.in_flight, exits);
}

namespace {

void report_in_flight(Warp& warp, const Op& op, const ResolvedAccess& resolved, unsigned lane,
                      std::size_t bytes, bool writes, const checks::BulkCopy& copy) {
  Block& block = warp.block();
  const RacingOps ops{copy.op, op.number, Grade::failure};
  if (block.is_repeated_race(ops)) return;
  const Program& program = *block.launch().program;
  const FunctionCode& code = program.function_of(copy.op);
  const OtherAccess other{source_place(program, code, code.ops[copy.op - code.first_op]),
                          block.place_in(copy.block, copy.warp, copy.lane), true};
  const auto offset = static_cast<std::ptrdiff_t>(resolved.at(lane));
  Finding finding = warp.finding(op, Mask{1} << lane, FindingClass::race, {},
                                 MemoryPlace{name_of(*resolved.container), offset, bytes, writes});
  finding.race = Race{.kind = Race::Kind::bulk_copy,
                      .two_blocks = copy.block != block.number(),
                      .reduces = copy.reduces};
  finding.other = other;
  finding.missing = MissingOrder{MissingOrder::Kind::wait};
  block.add_race(ops, std::move(finding));
}

}  // namespace

void observe_bulk_stores(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                         std::size_t bytes, bool writes) {
  const Block& block = warp.block();
  const checks::BulkDestinations& destinations = block.launch().global_races->bulk_destinations();
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = lowest(lanes);
    const auto copy = destinations.conflict({resolved.container->base + resolved.at(lane), bytes,
                                             warp.index(), lane, block.is_strong(op)},
                                            warp.block().races().clocks());
    if (copy) report_in_flight(warp, op, resolved, lane, bytes, writes, *copy);
  }
}

}  // namespace warpcheck::machine
