#include "device/virtual/machine/block/async_copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "device/virtual/machine/block/observe.hpp"

namespace warpcheck::machine {
namespace {

using checks::AsyncCopyConflict;
using checks::AsyncCopyTracker;

std::array<std::size_t, kLanes> cells_of(const ResolvedAccess& reach) {
  std::array<std::size_t, kLanes> cells;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    cells[lane] = (reach.container->shared_begin + reach.at(lane)) / AsyncCopyTracker::kCellBytes;
  }
  return cells;
}

std::size_t cell_count(std::size_t bytes) {
  return (bytes + AsyncCopyTracker::kCellBytes - 1) / AsyncCopyTracker::kCellBytes;
}

}  // namespace

ResolvedAccess AsyncCopies::Copy::reach() const {
  return {container.bytes.data, container.bytes.shadow, offset.data(), &container,
          Pattern::scattered};
}
std::size_t AsyncCopies::Copy::cell(unsigned lane) const {
  return (container.shared_begin + offset[lane]) / AsyncCopyTracker::kCellBytes;
}
std::size_t AsyncCopies::Copy::cells() const { return cell_count(bytes); }

void AsyncCopies::start(std::size_t warps) {
  warps_.clear();
  warps_.resize(warps);
}

std::unique_ptr<AsyncCopies::Copy> AsyncCopies::new_copy(Warp& warp, const Op& op,
                                                         const Container& container, Mask lanes,
                                                         std::size_t bytes) {
  if (spare_.empty()) spare_.push_back(std::make_unique<Copy>());
  std::unique_ptr<Copy> copy = std::move(spare_.back());
  spare_.pop_back();
  PerWarp& copies = warps_[warp.index()];
  copy->op = &op;
  copy->code = warp.frame().code;
  copy->container = container;
  copy->lanes = lanes;
  copy->bytes = bytes;
  copy->number = copies.issued++;
  copy->grouped = true;
  copy->id = checks::kNoAsyncCopy;
  copy->group = copies.groups;
  return copy;
}

void AsyncCopies::issue(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                        std::size_t bytes) {
  std::unique_ptr<Copy> copy = new_copy(warp, op, *reach.container, lanes, bytes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    copy->offset[lane] = static_cast<std::uint32_t>(reach.at(lane));
  }
  copy->data.assign(fetched_.data.begin(),
                    fetched_.data.begin() + static_cast<std::ptrdiff_t>(kLanes * bytes));
  copy->shadow.assign(fetched_.shadow.begin(),
                      fetched_.shadow.begin() + static_cast<std::ptrdiff_t>(kLanes * bytes));
  send(warp, op, std::move(copy));
}

IssuedCopies AsyncCopies::issue_bulk(Warp& warp, const Op& op, const Container& container,
                                     std::uint64_t offset, unsigned lane, Bytes source) {
  std::unique_ptr<Copy> copy = new_copy(warp, op, container, Mask{1} << lane, source.size);
  copy->grouped = false;
  copy->offset.fill(static_cast<std::uint32_t>(offset));
  copy->data.assign(source.data, source.data + source.size);
  copy->shadow.assign(source.shadow, source.shadow + source.size);
  const IssuedCopies issued{warp.index(), copy->lanes, copy->number, copy->number + 1};
  send(warp, op, std::move(copy));
  return issued;
}

void AsyncCopies::digest(Warp& warp, const Copy& copy) {
  checks::AccessDigest::Addresses to;
  checks::AccessDigest::Contents bytes;
  for_lanes([&](unsigned lane) {
    to[lane] = copy.container.base + copy.offset[lane];
    bytes[lane] = copy.data.data() + copy.of_lane(lane);
  });
  warp.block().digest().access(warp.index(), copy.lanes, checks::Act::copy, to, bytes, copy.bytes);
}

/// From now on the copy is in flight. Its issue is checked like a write by the same thread, so that
/// it comes after whatever the bytes held was used for. Lanes that copy what others copy to the
/// same place, as groups do at the end of what they share out, harm nobody.
void AsyncCopies::send(Warp& warp, const Op& op, std::unique_ptr<Copy> copy) {
  Block& block = warp.block();
  block.note_change();
  Copy& sent = *copy;
  if (block.digests()) digest(warp, sent);
  warps_[warp.index()].aloft.push_back(std::move(copy));
  if (!block.looks_for_races()) return;
  AsyncCopyTracker& tracker = block.copy_tracker();
  sent.id = tracker.add(sent.code, &op, warp.index());
  sent.tracked = 0;
  const auto first = cells_of(sent.reach());
  for (Mask rest = sent.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    const auto met = tracker.meet(warp.index(), Mask{1} << lane, first, sent.cells(), true,
                                  block.races().clocks());
    const bool same = met.size() == sent.cells() &&
                      std::all_of(met.begin(), met.end(), [&](const AsyncCopyConflict& other) {
                        return copies_the_same(sent, other);
                      });
    if (same) continue;
    if (!met.empty()) report(warp, op, sent.container, sent.bytes, true, met.front());
    sent.tracked |= Mask{1} << lane;
    tracker.take(sent.id, lane, first[lane], sent.cells());
  }
  if (sent.tracked != 0) observe_shared_write(warp, op, sent.reach(), sent.tracked, sent.bytes, 0);
}

/// Whether a copy brings what the one that it met brings too.
bool AsyncCopies::copies_the_same(const Copy& copy, const AsyncCopyConflict& met) const {
  for (const PerWarp& warp : warps_) {
    for (const auto& other : warp.aloft) {
      if (other->id != met.copy) continue;
      const auto bytes = [&](const Copy& of, unsigned lane) {
        return of.data.data() + of.of_lane(lane) +
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

/// Writes the bytes of some lanes; says which of them were there already.
Mask AsyncCopies::write(const Copy& copy, Mask lanes) {
  Mask rewrites = 0;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    std::byte* const data = copy.container.bytes.data + copy.offset[lane];
    const std::byte* const source = copy.data.data() + copy.of_lane(lane);
    rewrites |= Mask{std::memcmp(data, source, copy.bytes) == 0} << lane;
    std::memcpy(data, source, copy.bytes);
    std::memcpy(copy.container.bytes.shadow + copy.offset[lane],
                copy.shadow.data() + copy.of_lane(lane), copy.bytes);
  }
  return rewrites;
}

void AsyncCopies::drop_landed(PerWarp& copies) {
  const auto end = std::partition(copies.aloft.begin(), copies.aloft.end(),
                                  [](const auto& copy) { return copy->lanes != 0; });
  std::move(end, copies.aloft.end(), std::back_inserter(spare_));
  copies.aloft.erase(end, copies.aloft.end());
}

/// The bytes are no longer on their way, and the race detector takes them for written by the lanes.
void AsyncCopies::tell_landed(Warp& warp, const Copy& copy, Mask landing, Mask rewrites) {
  for (Mask rest = landing; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    warp.block().copy_tracker().give_back(copy.id, lane, copy.cell(lane), copy.cells());
  }
  const Mask tracked = landing & copy.tracked;
  if (tracked != 0) {
    observe_shared_write(warp, *copy.op, copy.reach(), tracked, copy.bytes, rewrites);
  }
}

void AsyncCopies::wait(Warp& warp, const Op& op, Mask lanes, std::uint32_t pending) {
  Block& block = warp.block();
  PerWarp& copies = warps_[warp.index()];
  bool any = false;
  for (const auto& copy : copies.aloft) {
    Mask landing = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      landing |= Mask{copies.groups[lane] - copy->group[lane] > pending} << lane;
    }
    landing &= lanes & copy->lanes;
    if (landing == 0 || !copy->grouped) continue;
    any = true;
    block.note_change();
    copy->lanes &= ~landing;
    const Mask rewrites = write(*copy, landing);
    if (copy->id == checks::kNoAsyncCopy) continue;
    say_where(warp, op, *copy);
    if (warp.frame().code != copy->code) {
      // The race detector takes an op for one of the running function.
      checks::AsyncCopy* tracked = block.copy_tracker().find(copy->id);
      block.copy_tracker().witness(*tracked, warp.index(), landing, block.races().clocks());
    } else {
      tell_landed(warp, *copy, landing, rewrites);
    }
    if (copy->lanes == 0) block.copy_tracker().retire(copy->id);
  }
  if (any) drop_landed(copies);
}

IssuedCopies AsyncCopies::issued(unsigned warp, Mask lanes) const {
  return {warp, lanes, 0, warps_[warp].issued};
}

void AsyncCopies::land(Warp& warp, const Op& op, const IssuedCopies& copies,
                       std::vector<checks::AsyncCopyId>& ids) {
  PerWarp& of_warp = warps_[copies.warp];
  bool any = false;
  for (const auto& copy : of_warp.aloft) {
    const Mask landing = copy->lanes & copies.lanes;
    if (copy->number < copies.first || copy->number >= copies.before || landing == 0) continue;
    any = true;
    warp.block().note_change();
    copy->lanes &= ~landing;
    write(*copy, landing);
    if (copy->id == checks::kNoAsyncCopy) continue;
    say_where(warp, op, *copy);
    ids.push_back(copy->id);
    if (copy->lanes == 0) warp.block().copy_tracker().retire(copy->id);
  }
  if (any) drop_landed(of_warp);
}

/// The complaints about a copy learn where it is waited for.
void AsyncCopies::say_where(Warp& warp, const Op& wait, const Copy& copy) {
  Block& block = warp.block();
  checks::AsyncCopy* tracked = block.copy_tracker().find(copy.id);
  for (const std::size_t finding : std::exchange(tracked->pending_findings, {})) {
    const SourcePlace place = source_place(*block.launch().program, *warp.frame().code, wait);
    std::string& message = block.findings[finding].message;
    message.resize(message.rfind(": ") + 2);
    message += fmt::format("the copy is waited for only at {}", line_of(place));
  }
}

void AsyncCopies::report(Warp& warp, const Op& op, const Container& container, std::size_t bytes,
                         bool writes, const AsyncCopyConflict& met) {
  Block& block = warp.block();
  checks::AsyncCopy* tracked = block.copy_tracker().find(met.copy);
  const RacingOps ops{tracked->code->number_of(*tracked->op), warp.frame().code->number_of(op),
                      false};
  if (block.met_again(ops)) return;
  const std::size_t element = std::min(bytes, AsyncCopyTracker::kCellBytes);
  const auto offset = static_cast<std::ptrdiff_t>(met.cell * AsyncCopyTracker::kCellBytes) -
                      static_cast<std::ptrdiff_t>(container.shared_begin);
  const OtherAccess other{source_place(*block.launch().program, *tracked->code, *tracked->op),
                          block.place(tracked->warp, met.copying_lane), true};
  std::string message = fmt::format(
      "thread {} {} {}-byte element {} of {}, which the asynchronous copy of thread {} at {} is "
      "still to "
      "write: {}",
      triple(block.thread(warp.index(), met.lane)), writes ? "writes" : "reads", element,
      offset / static_cast<std::ptrdiff_t>(element), *container.name,
      triple(block.thread(tracked->warp, met.copying_lane)), line_of(other.source),
      tracked->landed ? "others wait for the copy, but nothing orders the access after their wait"
                      : "nobody waits for the copy");
  Finding finding = warp.finding(op, Mask{1} << met.lane, FindingClass::race, std::move(message),
                                 MemoryPlace{*container.name, offset, bytes, writes});
  finding.other = other;
  const std::size_t known = block.findings.size();
  const std::size_t index = block.add_race(ops, std::move(finding));
  // Where it is an earlier finding's, the detector said the same of these lines.
  if (index == known && !tracked->landed) tracked->pending_findings.push_back(index);
}

void observe_async_copies(Warp& warp, const Op& op, const ResolvedAccess& reach, Mask lanes,
                          std::size_t bytes, bool writes) {
  Block& block = warp.block();
  for (const AsyncCopyConflict& met :
       block.copy_tracker().meet(warp.index(), lanes, cells_of(reach), cell_count(bytes), writes,
                                 block.races().clocks())) {
    block.async_copies().report(warp, op, *reach.container, bytes, writes, met);
  }
}

}  // namespace warpcheck::machine
