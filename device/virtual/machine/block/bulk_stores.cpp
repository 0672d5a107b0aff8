#include "device/virtual/machine/block/bulk_stores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "device/virtual/machine/block/observe.hpp"

namespace warpcheck::machine {
namespace {

using checks::AsyncCopyTracker;

void report_early_exit(Warp& warp, const BulkStore& store) {
  Finding finding;
  finding.kind = FindingClass::race;
  finding.message =
      "the thread exits before this bulk copy has read its shared memory, which the block may have "
      "released then: cp.async.bulk.wait_group.read is expected first";
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
  if (block.observer() != nullptr) {
    block.observer()->transfer(warp, *store.op, store.data.size());
  }
  block.note_change();
  copies.in_flight.push_back(std::move(store));
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
    // The checks need an op of the running function.
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
  }
  std::erase_if(copies.in_flight, exits);
}

}  // namespace warpcheck::machine
