#include "device/virtual/machine/block/async_copies.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "device/virtual/machine/block/observe.hpp"

namespace warpcheck::machine {
namespace {

using checks::AsyncCopyConflict;
using checks::AsyncCopyTracker;

std::array<std::size_t, kLanes> cells_of(const ResolvedAccess& resolved) {
  std::array<std::size_t, kLanes> cells;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    cells[lane] =
        (resolved.container->shared_begin + resolved.at(lane)) / AsyncCopyTracker::kCellBytes;
  }
  return cells;
}

std::size_t cell_count(std::size_t bytes) {
  return (bytes + AsyncCopyTracker::kCellBytes - 1) / AsyncCopyTracker::kCellBytes;
}

}  // namespace

ResolvedAccess AsyncCopies::Copy::resolved() const {
  return {container.bytes.data, container.bytes.shadow, offset.data(), &container,
          Pattern::scattered};
}
std::size_t AsyncCopies::Copy::cell(unsigned lane) const {
  return (container.shared_begin + offset[lane]) / AsyncCopyTracker::kCellBytes;
}
std::size_t AsyncCopies::Copy::cells() const { return cell_count(bytes); }

void AsyncCopies::start(std::size_t warps) {
  warps_.clear();
  warps_.resize(warps + 1);
}

std::unique_ptr<AsyncCopies::Copy> AsyncCopies::new_copy(PerWarp& copies, const Warp& warp,
                                                         const Op& op, const Container& container,
                                                         Mask lanes, std::size_t bytes) {
  if (spare_.empty()) spare_.push_back(std::make_unique<Copy>());
  std::unique_ptr<Copy> copy = std::move(spare_.back());
  spare_.pop_back();
  copy->op = &op;
  copy->code = warp.frame().code;
  copy->container = container;
  copy->lanes = lanes;
  copy->bytes = bytes;
  copy->number = copies.issued++;
  copy->grouped = true;
  copy->write = {};
  copy->id = checks::kNoAsyncCopy;
  copy->group = copies.groups;
  return copy;
}

void AsyncCopies::issue(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                        std::size_t bytes) {
  PerWarp& copies = warps_[warp.index()];
  std::unique_ptr<Copy> copy = new_copy(copies, warp, op, *resolved.container, lanes, bytes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    copy->offset[lane] = static_cast<std::uint32_t>(resolved.at(lane));
  }
  copy->data.assign(fetched_.data.begin(),
                    fetched_.data.begin() + static_cast<std::ptrdiff_t>(kLanes * bytes));
  copy->shadow.assign(fetched_.shadow.begin(),
                      fetched_.shadow.begin() + static_cast<std::ptrdiff_t>(kLanes * bytes));
  Copy& sent = *copy;
  copies.in_flight.push_back(std::move(copy));
  send(warp.block(), warp, op, sent);
}

IssuedCopies AsyncCopies::issue_bulk(Block& owner, Warp& warp, const Op& op,
                                     const Container& container, std::uint64_t offset,
                                     unsigned lane, Bytes source, const BulkWrite& write) {
  PerWarp& copies = warps_.back();
  std::unique_ptr<Copy> copy = new_copy(copies, warp, op, container, Mask{1} << lane, source.size);
  copy->grouped = false;
  copy->write = write;
  copy->offset.fill(static_cast<std::uint32_t>(offset));
  copy->data.assign(source.data, source.data + source.size);
  copy->shadow.assign(source.shadow, source.shadow + source.size);
  const IssuedCopies issued{static_cast<unsigned>(warps_.size() - 1), copy->lanes, copy->number,
                            copy->number + 1};
  if (write.reduction.combine != nullptr) {
    combine_elements(write.reduction,
                     {container.bytes.data + offset, container.bytes.shadow + offset, source.size},
                     source.data, source.shadow);
  }
  Copy& sent = *copy;
  copies.in_flight.push_back(std::move(copy));
  send(owner, warp, op, sent);
  return issued;
}

void AsyncCopies::digest(Warp& warp, const Copy& copy) {
  checks::AccessDigest::Addresses to;
  checks::AccessDigest::Contents bytes;
  for_lanes([&](unsigned lane) {
    to[lane] = copy.container.base + copy.offset[lane];
    bytes[lane] = copy.data.data() + copy.lane_offset(lane);
  });
  warp.block().digest().access(warp.index(), copy.lanes, checks::Act::copy, to, bytes, copy.bytes);
}

/// Reports the proxy through which a bulk copy accesses its destination. A reduction through the
/// async proxy reads it, too.
void AsyncCopies::note_proxy(Block& owner, Warp& warp, const Op& op, const Copy& sent) {
  const unsigned lane = lowest(sent.lanes);
  if (sent.write.generic_proxy) {
    return note_proxy_write(warp, op, sent.resolved(), sent.lanes, sent.bytes);
  }
  if (sent.write.reduction.combine != nullptr) {
    check_proxy_writes(warp, op, sent.container, sent.offset[lane], sent.bytes, lane);
  }
  owner.proxy_writes().overwrite(sent.container.shared_begin + sent.offset[lane], sent.bytes);
}

/// Checks the issue of a copy like a write by the same thread: it must be ordered after the earlier
/// uses of the destination. Lanes that copy the same bytes to the same place, as groups do at the
/// end of a shared range, do not race.
void AsyncCopies::send(Block& owner, Warp& warp, const Op& op, Copy& sent) {
  Block& block = warp.block();
  owner.note_change();
  if (block.digests()) digest(warp, sent);
  if (!block.looks_for_races()) return;
  if (owner.proxy_writes().tracks() && !sent.grouped) note_proxy(owner, warp, op, sent);
  AsyncCopyTracker& tracker = owner.copy_tracker();
  checks::AsyncCopy tracked;
  tracked.code = sent.code;
  tracked.op = &op;
  tracked.block = block.races().clocks().block();
  tracked.warp = warp.index();
  tracked.sequence = sent.write.object;
  tracked.reduction = {sent.write.reduction.combine};
  const bool reduces = tracked.reduction.combine != nullptr;
  const AsyncCopyTracker::Manner manner{true, tracked.reduction};
  sent.id = tracker.add(std::move(tracked));
  sent.tracked = 0;
  const auto first = cells_of(sent.resolved());
  for (Mask rest = sent.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    const auto met = tracker.access(warp.index(), Mask{1} << lane, first, sent.cells(), manner,
                                    block.races().clocks());
    const bool same = !reduces && met.size() == sent.cells() &&
                      std::all_of(met.begin(), met.end(), [&](const AsyncCopyConflict& other) {
                        return copies_the_same(sent, other);
                      });
    if (same) continue;
    if (!met.empty()) report(owner, warp, op, sent.container, sent.bytes, true, met.front());
    sent.tracked |= Mask{1} << lane;
    tracker.take(sent.id, lane, first[lane], sent.cells());
  }
  if (sent.tracked == 0) return;
  const LaneOrder order(0, 0);
  observe_shared_write(warp, op, sent.resolved(), sent.tracked, sent.bytes, 0,
                       reduces ? &order : nullptr);
}

/// True if `copy` writes the same bytes as the copy with which it conflicts.
bool AsyncCopies::copies_the_same(const Copy& copy, const AsyncCopyConflict& met) const {
  for (const PerWarp& warp : warps_) {
    for (const auto& other : warp.in_flight) {
      if (other->id != met.copy) continue;
      const auto bytes = [&](const Copy& of, unsigned lane) {
        return of.data.data() + of.lane_offset(lane) +
               AsyncCopyTracker::kCellBytes * (met.cell - of.cell(lane));
      };
      return std::memcmp(bytes(copy, met.lane), bytes(*other, met.copying_lane),
                         AsyncCopyTracker::kCellBytes) == 0;
    }
  }
  return false;
}

void AsyncCopies::commit(unsigned warp, Mask lanes) {
  for (unsigned lane = 0; lane < kLanes; ++lane) warps_[warp].groups[lane] += lanes >> lane & 1;
}

/// Writes the bytes of some lanes, except for a reduction, which has already written them. Returns
/// the lanes whose bytes did not change.
Mask AsyncCopies::write(const Copy& copy, Mask lanes) {
  if (copy.write.reduction.combine != nullptr) return 0;
  Mask rewrites = 0;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    std::byte* const data = copy.container.bytes.data + copy.offset[lane];
    const std::byte* const source = copy.data.data() + copy.lane_offset(lane);
    rewrites |= Mask{std::memcmp(data, source, copy.bytes) == 0} << lane;
    std::memcpy(data, source, copy.bytes);
    std::memcpy(copy.container.bytes.shadow + copy.offset[lane],
                copy.shadow.data() + copy.lane_offset(lane), copy.bytes);
  }
  return rewrites;
}

void AsyncCopies::remove_completed(PerWarp& copies) {
  const auto end = std::partition(copies.in_flight.begin(), copies.in_flight.end(),
                                  [](const auto& copy) { return copy->lanes != 0; });
  std::move(end, copies.in_flight.end(), std::back_inserter(spare_));
  copies.in_flight.erase(end, copies.in_flight.end());
}

/// Removes the copies of some lanes from the tracker, and reports them to the race detector as
/// writes of these lanes.
void AsyncCopies::report_write(Warp& warp, const Copy& copy, Mask lanes, Mask rewrites) {
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    warp.block().copy_tracker().give_back(copy.id, lane, copy.cell(lane), copy.cells());
  }
  const Mask tracked = lanes & copy.tracked;
  if (tracked != 0) {
    observe_shared_write(warp, *copy.op, copy.resolved(), tracked, copy.bytes, rewrites);
  }
}

void AsyncCopies::wait(Warp& warp, const Op& op, Mask lanes, std::uint32_t pending) {
  Block& block = warp.block();
  PerWarp& copies = warps_[warp.index()];
  bool any = false;
  for (const auto& copy : copies.in_flight) {
    Mask completing = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      completing |= Mask{copies.groups[lane] - copy->group[lane] > pending} << lane;
    }
    completing &= lanes & copy->lanes;
    if (completing == 0 || !copy->grouped) continue;
    any = true;
    block.note_change();
    copy->lanes &= ~completing;
    const Mask rewrites = write(*copy, completing);
    if (copy->id == checks::kNoAsyncCopy) continue;
    complete_findings(warp, op, *copy);
    if (warp.frame().code != copy->code) {
      // observe_shared_write() requires an op of the running function.
      checks::AsyncCopy* tracked = block.copy_tracker().find(copy->id);
      block.copy_tracker().witness(*tracked, warp.index(), completing, block.races().clocks());
    } else {
      report_write(warp, *copy, completing, rewrites);
    }
    if (copy->lanes == 0) block.copy_tracker().retire(copy->id);
  }
  if (any) remove_completed(copies);
}

IssuedCopies AsyncCopies::issued(unsigned warp, Mask lanes) const {
  return {warp, lanes, 0, warps_[warp].issued};
}

void AsyncCopies::complete(Warp& warp, const Op& op, const IssuedCopies& copies,
                           std::vector<checks::AsyncCopyId>& ids) {
  PerWarp& warp_copies = warps_[copies.warp];
  bool any = false;
  for (const auto& copy : warp_copies.in_flight) {
    const Mask completing = copy->lanes & copies.lanes;
    if (copy->number < copies.first || copy->number >= copies.before || completing == 0) continue;
    any = true;
    warp.block().note_change();
    copy->lanes &= ~completing;
    write(*copy, completing);
    if (copy->id == checks::kNoAsyncCopy) continue;
    complete_findings(warp, op, *copy);
    ids.push_back(copy->id);
    if (copy->lanes == 0) warp.block().copy_tracker().retire(copy->id);
  }
  if (any) remove_completed(warp_copies);
}

/// Adds the place of the wait to the findings about accesses before it.
void AsyncCopies::complete_findings(Warp& warp, const Op& wait, const Copy& copy) {
  Block& block = warp.block();
  checks::AsyncCopy* tracked = block.copy_tracker().find(copy.id);
  for (const std::size_t number : std::exchange(tracked->pending_findings, {})) {
    block.findings[number].race->wait =
        source_place(*block.launch().program, *warp.frame().code, wait);
  }
}

void AsyncCopies::report(Block& owner, Warp& warp, const Op& op, const Container& container,
                         std::size_t bytes, bool writes, const AsyncCopyConflict& met) {
  Block& block = warp.block();
  checks::AsyncCopy* tracked = owner.copy_tracker().find(met.copy);
  const RacingOps ops{tracked->op->number, op.number, Grade::failure};
  if (block.is_repeated_race(ops)) return;
  const auto offset = static_cast<std::ptrdiff_t>(met.cell * AsyncCopyTracker::kCellBytes) -
                      static_cast<std::ptrdiff_t>(container.shared_begin);
  const OtherAccess other{source_place(*block.launch().program, *tracked->code, *tracked->op),
                          block.place_in(tracked->block, tracked->warp, met.copying_lane),
                          !tracked->reads};
  Finding finding = warp.finding(op, Mask{1} << met.lane, FindingClass::race, {},
                                 MemoryPlace{*container.name, offset, bytes, writes});
  finding.race = Race{.kind = Race::Kind::copy,
                      .reduces = tracked->reduction.combine != nullptr,
                      .multiplies = tracked->multiplies,
                      .waited_for = tracked->waited_for};
  finding.other = other;
  finding.missing = MissingOrder{MissingOrder::Kind::wait};
  const std::size_t known = block.findings.size();
  const std::size_t index = block.add_race(ops, std::move(finding));
  // Otherwise an earlier finding for the same lines contains the race.
  if (index == known && !tracked->waited_for && &owner == &block) {
    tracked->pending_findings.push_back(index);
  }
}

void observe_async_copies(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                          std::size_t bytes, bool writes) {
  Block& block = warp.block();
  Block& owner = resolved.container->owner != nullptr ? *resolved.container->owner : block;
  if (!owner.copy_tracker().any()) return;
  for (const AsyncCopyConflict& met :
       owner.copy_tracker().access(warp.index(), lanes, cells_of(resolved), cell_count(bytes),
                                   {writes, {}}, block.races().clocks())) {
    AsyncCopies::report(owner, warp, op, *resolved.container, bytes, writes, met);
  }
}

}  // namespace warpcheck::machine
