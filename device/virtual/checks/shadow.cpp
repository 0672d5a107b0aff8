#include "device/virtual/checks/shadow.hpp"

#include <algorithm>
#include <utility>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {
namespace {

constexpr std::uint32_t kIsHistory = 1u << 31;
constexpr std::uint32_t kMostEvents = 1u << 26;  // an event's number and a lane are 31 bits
constexpr std::size_t kFirstCompaction = std::size_t{1} << 20;
constexpr std::size_t kSettledAtMost = std::size_t{1} << 16;

bool same_warp(const Event& a, const Event& b) { return a.warp == b.warp && a.block == b.block; }

/// True if the accesses are morally strong (PTX ISA 8.7.1): strong, each in the scope of the other.
bool morally_strong(const Event& a, const Event& b) {
  const bool within = a.block == b.block || (a.scope == Scope::device && b.scope == Scope::device);
  return a.strong && b.strong && within;
}

}  // namespace

Shadow::Shadow(std::size_t units)
    : pages_((units + kPageUnits - 1) / kPageUnits), compact_at_(kFirstCompaction) {}

EventId Shadow::note(const Event& event) {
  EventId& recent = recent_[(event.op * 31 + event.warp * 7 + event.block) % recent_.size()];
  if (recent != 0 && events_[recent] == event) return recent;
  if (events_.size() >= compact_at_) compact();
  events_.push_back(event);
  return recent = static_cast<EventId>(events_.size() - 1);
}

bool Shadow::ordered(const Event& earlier, unsigned lane, const Access& access) const {
  if (same_warp(earlier, access.event) && lane == access.lane) return true;
  return access.clocks.ordered(earlier.block, earlier.warp, lane, earlier.interval,
                               access.event.warp, access.lane);
}

bool Shadow::may_race(const Access& access, EventId earlier) const {
  const Event& first = events_[earlier];
  return earlier >= settled_ && (first.write || access.event.write) &&
         !morally_strong(first, access.event);
}

void Shadow::compare(const Access& access, EventId earlier, unsigned lane) const {
  const Event& first = events_[earlier];
  if (!may_race(access, earlier) || ordered(first, lane, access)) return;
  access.conflicts.push_back(
      {first, lane, access.event, access.lane, access.unit, first.write && access.rewrites});
}

void Shadow::compare_all(const Access& access, const std::vector<Accesses>& earlier) const {
  for (const Accesses& accesses : earlier) {
    if (!may_race(access, accesses.event)) continue;  // for all 32 lanes: many may read one unit
    const std::size_t before = access.conflicts.size();
    for (Mask lanes = accesses.lanes; lanes != 0 && access.conflicts.size() == before;
         lanes &= lanes - 1) {
      compare(access, accesses.event, machine::lowest(lanes));
    }
  }
}

/// A weak access to a unit without a history. Returns false if the unit needs one.
bool Shadow::access_single(Page& page, const Access& access) {
  const std::size_t at = access.unit % kPageUnits;
  Stamp& last = page.last[at];
  const Stamp reader = page.reader ? (*page.reader)[at] : 0;
  const auto replaceable = [&](Stamp stamp) {
    const Event& event = events_[stamp >> 5];
    const unsigned lane = stamp & 31;
    if (settled(stamp) || (same_warp(event, access.event) && lane == access.lane)) return true;
    return !access.late && ordered(event, lane, access);
  };
  if (access.event.write) {
    compare(access, last >> 5, last & 31);
    compare(access, reader >> 5, reader & 31);
    last = access.stamp();
    if (reader != 0) (*page.reader)[at] = 0;
    return true;
  }
  if (!events_[last >> 5].write) {
    if (!replaceable(last)) return false;
    last = access.stamp();
    return true;
  }
  if (!replaceable(reader)) return false;
  compare(access, last >> 5, last & 31);
  if (!page.reader) page.reader = std::make_unique<Words>();
  (*page.reader)[at] = access.stamp();
  return true;
}

Shadow::History& Shadow::history_of(Page& page, std::size_t at) {
  Stamp& last = page.last[at];
  if ((last & kIsHistory) != 0) return *histories_[last & ~kIsHistory];
  auto history = std::make_unique<History>();
  const Stamp reader = page.reader ? std::exchange((*page.reader)[at], 0) : 0;
  for (const Stamp stamp : {last, reader}) {
    if (settled(stamp)) continue;
    if (events_[stamp >> 5].write) {
      history->write = stamp;
    } else {
      history->reads.push_back({stamp >> 5, Mask{1} << (stamp & 31)});
    }
  }
  last = kIsHistory | static_cast<Stamp>(histories_.size());
  histories_.push_back(std::move(history));
  return *histories_.back();
}

/// Adds the access to a list. It replaces earlier accesses of the same thread.
void Shadow::remember(const Access& access, std::vector<Accesses>& list) const {
  const Mask lane = Mask{1} << access.lane;
  for (Accesses& earlier : list) {
    const Event& event = events_[earlier.event];
    const bool covered = access.event.write || !event.write;
    if (covered && same_warp(event, access.event)) earlier.lanes &= ~lane;
  }
  std::erase_if(list, [](const Accesses& earlier) { return earlier.lanes == 0; });
  if (!list.empty() && list.back().event == access.id) {
    list.back().lanes |= lane;
    return;
  }
  if (list.size() >= kRemembered) list.erase(list.begin());
  list.push_back({access.id, lane});
}

/// True if the access repeats the last read of a list, by the same op in the same interval. Every
/// later access was compared with that read. This is the common access of threads that poll a flag.
bool Shadow::repeated(const Access& access, const std::vector<Accesses>& list) {
  return !access.event.write && !list.empty() && list.back().event == access.id &&
         (list.back().lanes >> access.lane & 1) != 0;
}

void Shadow::access_history(const Access& access, History& history) const {
  if (repeated(access, access.event.strong ? history.strong : history.reads)) return;
  if (settled(history.write)) history.write = 0;
  for (std::vector<Accesses>* list : {&history.reads, &history.strong}) {
    std::erase_if(*list, [&](const Accesses& earlier) { return earlier.event < settled_; });
    compare_all(access, *list);
  }
  compare(access, history.write >> 5, history.write & 31);
  if (access.event.strong) {
    remember(access, history.strong);
  } else if (access.event.write) {
    history.write = access.stamp();
    history.reads.clear();
    history.strong.clear();
  } else {
    remember(access, history.reads);
  }
}

void Shadow::access_remembered(const Access& access) {
  Page& page = page_of(access.unit);
  const std::size_t at = access.unit % kPageUnits;
  const bool simple = (page.last[at] & kIsHistory) == 0 && !access.event.strong;
  if (simple && access_single(page, access)) return;
  access_history(access, history_of(page, at));
}

void Shadow::settle() {
  settled_ = static_cast<EventId>(events_.size());
  recent_.fill(0);
  if (events_.size() < kSettledAtMost && histories_.empty()) return;
  for (auto& page : pages_) {
    if (page) *page = Page{};
  }
  histories_.clear();
  events_.resize(1);
  settled_ = 1;
}

/// Removes the events that no unit refers to, and renumbers the others.
void Shadow::compact() {
  std::vector<EventId> renumbered(events_.size());
  const auto each_event = [&](auto visit) {
    const auto visit_stamp = [&](Stamp& stamp) {
      if (stamp == 0 || (stamp & kIsHistory) != 0) return;
      EventId id = stamp >> 5;
      visit(id);
      stamp = id == 0 ? 0 : id << 5 | (stamp & 31);
    };
    for (auto& page : pages_) {
      if (!page) continue;
      for (Stamp& stamp : page->last) visit_stamp(stamp);
      if (!page->reader) continue;
      for (Stamp& stamp : *page->reader) visit_stamp(stamp);
    }
    for (auto& history : histories_) {
      visit_stamp(history->write);
      for (Accesses& accesses : history->reads) visit(accesses.event);
      for (Accesses& accesses : history->strong) visit(accesses.event);
    }
  };
  each_event([&](EventId& id) { renumbered[id] = 1; });
  EventId kept = 0;
  for (EventId id = 1; id < events_.size(); ++id) {
    if (renumbered[id] == 0) continue;
    events_[++kept] = events_[id];
    renumbered[id] = kept;
  }
  each_event([&](EventId& id) { id = renumbered[id]; });
  events_.resize(std::size_t{kept} + 1);
  settled_ = 1;
  recent_.fill(0);
  compact_at_ = std::min<std::size_t>(std::max(kFirstCompaction, 2 * events_.size()), kMostEvents);
}

Shadow Shadow::finer(unsigned parts) const {
  Shadow fine(pages_.size() * kPageUnits * parts);
  fine.events_ = events_;
  fine.settled_ = settled_;
  fine.compact_at_ = compact_at_;
  const auto copy = [&](Stamp stamp) {
    if ((stamp & kIsHistory) == 0) return stamp;
    fine.histories_.push_back(std::make_unique<History>(*histories_[stamp & ~kIsHistory]));
    return kIsHistory | static_cast<Stamp>(fine.histories_.size() - 1);
  };
  for (std::size_t unit = 0; unit < pages_.size() * kPageUnits; ++unit) {
    const Page* page = pages_[unit / kPageUnits].get();
    if (page == nullptr) continue;
    const std::size_t at = unit % kPageUnits;
    for (std::size_t i = unit * parts; i < (unit + 1) * parts; ++i) {
      Page& target = fine.page_of(i);
      target.last[i % kPageUnits] = copy(page->last[at]);
      if (!page->reader) continue;
      if (!target.reader) target.reader = std::make_unique<Words>();
      (*target.reader)[i % kPageUnits] = (*page->reader)[at];
    }
  }
  return fine;
}

std::size_t Shadow::footprint() const {
  std::size_t bytes = events_.capacity() * sizeof(Event) + pages_.capacity() * sizeof(pages_[0]);
  for (const auto& page : pages_) {
    if (page) bytes += sizeof(Page) + (page->reader ? sizeof(Words) : 0);
  }
  for (const auto& history : histories_) {
    bytes += sizeof(History) +
             (history->reads.capacity() + history->strong.capacity()) * sizeof(Accesses);
  }
  return bytes;
}

}  // namespace warpcheck::checks
