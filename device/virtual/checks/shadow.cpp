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

/// The lanes of an earlier event whose accesses do not happen before the access.
Mask Shadow::unordered(const Accesses& earlier, const Access& access) const {
  const Event& event = events_[earlier.event];
  Mask lanes = earlier.lanes;
  if (same_warp(event, access.event)) lanes &= ~(Mask{1} << access.lane);
  return lanes & ~access.clocks.ordered_lanes(event.block, event.warp, lanes, event.interval,
                                              access.event.warp, access.lane);
}

bool Shadow::may_race(const Access& access, EventId earlier) const {
  const Event& first = events_[earlier];
  return earlier >= settled_ && (first.write || access.event.write) &&
         !morally_strong(first, access.event);
}

/// False if no access of the history races with the event, whatever orders them.
bool Shadow::may_race(const Access& access, const History& history) const {
  const auto any_of = [&](const std::vector<Accesses>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Accesses& earlier) { return may_race(access, earlier.event); });
  };
  return any_of(history.writes) || any_of(history.reads) || any_of(history.strong);
}

void Shadow::compare(const Access& access, EventId earlier, unsigned lane) const {
  const Event& first = events_[earlier];
  if (may_race(access, earlier) && !ordered(first, lane, access)) add_conflict(access, first, lane);
}

void Shadow::add_conflict(const Access& access, const Event& first, unsigned lane) const {
  Grade grade = Grade::failure;
  if (first.write && access.rewrites) {
    grade = Grade::same_value;
  } else if (access.clocks.ordered_by_fence(first.block, first.warp, lane, first.interval,
                                            access.event.warp, access.lane)) {
    grade = Grade::relaxed_order;
  }
  access.conflicts.push_back({first, lane, access.event, access.lane, access.unit, grade});
}

/// True if a thread has an access in the list.
bool Shadow::wrote(const Event& event, unsigned lane, const std::vector<Accesses>& list) const {
  return std::any_of(list.begin(), list.end(), [&](const Accesses& earlier) {
    return same_warp(events_[earlier.event], event) && (earlier.lanes >> lane & 1) != 0;
  });
}

/// A thread that wrote the same value itself reads that value in any order: such reads are skipped.
void Shadow::compare_reads(const Access& access, const History& history) const {
  for (const Accesses& accesses : history.reads) {
    if (!may_race(access, accesses.event)) continue;  // for all 32 lanes: many may read one unit
    const Event& first = events_[accesses.event];
    for (Mask lanes = unordered(accesses, access); lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = machine::lowest(lanes);
      if (access.rewrites && wrote(first, lane, history.writes)) continue;
      add_conflict(access, first, lane);
      break;
    }
  }
}

void Shadow::compare_strong(const Access& access, const History& history) const {
  for (const Accesses& accesses : history.strong) {
    if (!may_race(access, accesses.event)) continue;
    if (observed_before(accesses.event, access, history)) continue;
    const Mask lanes = unordered(accesses, access);
    if (lanes != 0) add_conflict(access, events_[accesses.event], machine::lowest(lanes));
  }
}

/// Reports at most one conflict, with the last write that nothing orders. The others wrote the same
/// value.
void Shadow::compare_writes(const Access& access, const History& history) const {
  const bool reads = !access.event.write;
  if (reads && history.writes.size() > 1 && wrote(access.event, access.lane, history.writes)) {
    return;
  }
  for (auto earlier = history.writes.rbegin(); earlier != history.writes.rend(); ++earlier) {
    if (!may_race(access, earlier->event)) continue;
    const Mask lanes = unordered(*earlier, access);
    if (lanes == 0) continue;
    add_conflict(access, events_[earlier->event], machine::lowest(lanes));
    return;
  }
}

void Shadow::compare_all(const Access& access, const History& history) const {
  compare_reads(access, history);
  compare_strong(access, history);
  compare_writes(access, history);
}

/// True if the write happens before the access in causality order because a strong read that
/// happens before the access returned its value (PTX ISA 8.9.5, rule 2).
bool Shadow::observed_before(EventId write, const Access& access, const History& history) const {
  return std::any_of(history.observations.begin(), history.observations.end(),
                     [&](const Observation& seen) {
                       if (seen.write != write) return false;
                       for (Mask lanes = seen.lanes; lanes != 0; lanes &= lanes - 1) {
                         if (ordered(events_[seen.reader], machine::lowest(lanes), access))
                           return true;
                       }
                       return false;
                     });
}

/// Records that a strong read of `lanes` returned the value of the last strong write, and of the
/// writes that led to it through atomics (observation order, PTX ISA 8.9.2). Returns false if one
/// of several writes may have been dropped, so that other lanes of the event must be recorded one
/// by one.
bool Shadow::observe(const Access& access, Mask lanes, History& history) const {
  bool dropped = false;
  for (auto earlier = history.strong.rbegin(); earlier != history.strong.rend(); ++earlier) {
    const Event& write = events_[earlier->event];
    if (!write.write) continue;
    if (!morally_strong(write, access.event)) break;
    std::vector<Observation>& all = history.observations;
    const auto known = std::find_if(all.begin(), all.end(), [&](const Observation& seen) {
      return seen.write == earlier->event && seen.reader == access.id;
    });
    if (known != all.end()) {
      known->lanes |= lanes;
    } else {
      if (all.size() >= kRemembered) {
        dropped = dropped || write.update;
        all.erase(all.begin());
      }
      all.push_back({earlier->event, access.id, lanes});
    }
    if (!write.update) break;
  }
  return !dropped;
}

/// An atomic that observes earlier writes stands for them: what happens after the atomic happens
/// after them (rule 2), and what races with one of them races with the atomic. If the thread does
/// not use the result, it does the same in any order of the atomics, so that they are compared.
void Shadow::stand_for_observed(const Access& access, History& history) const {
  std::vector<Accesses>& strong = history.strong;
  for (std::size_t i = strong.size(); i-- > 0;) {
    const Event& write = events_[strong[i].event];
    if (!write.write) continue;
    if (!morally_strong(write, access.event)) return;
    const bool is_last = !write.update;
    if (strong[i].event != access.id) strong.erase(strong.begin() + static_cast<std::ptrdiff_t>(i));
    if (is_last) return;
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
    if (access.rewrites && events_[last >> 5].write && !replaceable(last)) return false;
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
    (events_[stamp >> 5].write ? history->writes : history->reads)
        .push_back({stamp >> 5, Mask{1} << (stamp & 31)});
  }
  last = kIsHistory | static_cast<Stamp>(histories_.size());
  histories_.push_back(std::move(history));
  return *histories_.back();
}

/// Adds the access of `lanes` to a list. It replaces earlier accesses of the same threads.
void Shadow::remember(const Access& access, Mask lanes, std::vector<Accesses>& list) const {
  for (Accesses& earlier : list) {
    const Event& event = events_[earlier.event];
    const bool covered = access.event.write || !event.write;
    if (covered && same_warp(event, access.event)) earlier.lanes &= ~lanes;
  }
  std::erase_if(list, [](const Accesses& earlier) { return earlier.lanes == 0; });
  if (!list.empty() && list.back().event == access.id) {
    list.back().lanes |= lanes;
    return;
  }
  if (list.size() >= kRemembered) list.erase(list.begin());
  list.push_back({access.id, lanes});
}

/// True if the access repeats the last read of a list, by the same op in the same interval. Every
/// later access was compared with that read. This is the common access of threads that poll a flag.
bool Shadow::repeated(const Access& access, const std::vector<Accesses>& list) {
  return !access.event.write && !list.empty() && list.back().event == access.id &&
         (list.back().lanes >> access.lane & 1) != 0;
}

void Shadow::access_history(const Access& access, History& history) const {
  if (repeated(access, access.event.strong ? history.strong : history.reads)) return;
  compare_all(access, history);
  const Mask lane = Mask{1} << access.lane;
  if (access.event.strong) {
    if (access.event.observes) {
      stand_for_observed(access, history);
    } else if (!access.event.write) {
      observe(access, lane, history);
    }
    remember(access, lane, history.strong);
  } else if (access.event.write) {
    std::erase_if(history.writes, [&](Accesses& earlier) {
      earlier.lanes = unordered(earlier, access);
      return !access.rewrites || earlier.lanes == 0;
    });
    remember(access, lane, history.writes);
    history.reads.clear();
    history.strong.clear();
    history.observations.clear();
  } else {
    remember(access, lane, history.reads);
  }
}

/// Lanes of the event of `access`, which is entered, access the same unit. Their accesses do not
/// race with one another: they read, or are strong.
void Shadow::access_rest(const Access& access, Mask lanes, Mask rewrites, History& history) const {
  std::vector<Accesses>& list = access.event.strong ? history.strong : history.reads;
  if (!access.event.write && !list.empty() && list.back().event == access.id) {
    lanes &= ~list.back().lanes;  // repeated
  }
  if (lanes == 0) return;
  const bool observes = access.event.strong && !access.event.write;
  if (may_race(access, history)) {
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = machine::lowest(rest);
      const Access each{access.id,   access.event, lane,          (rewrites >> lane & 1) != 0,
                        access.late, access.unit,  access.clocks, access.conflicts};
      compare_all(each, history);
      if (observes) observe(each, Mask{1} << lane, history);
    }
  } else if (observes) {
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
      if (!observe(access, rest & (~rest + 1), history)) continue;
      observe(access, rest, history);
      break;
    }
  }
  remember(access, lanes, list);
}

void Shadow::access_together(std::size_t unit, EventId id, Mask lanes, Mask rewrites, bool late,
                             const BlockClocks& clocks, std::vector<Conflict>& conflicts) {
  const Event& event = events_[id];
  const bool independent = !event.write || (event.strong && !event.observes);
  const Stamp& last = page_of(unit).last[unit % kPageUnits];
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = machine::lowest(lanes);
    const Manner manner{(rewrites >> lane & 1) != 0, late};
    access(unit, id, lane, manner, clocks, conflicts);
    if (!independent || (last & kIsHistory) == 0) continue;
    const Access first{id, event, lane, manner.rewrites, late, unit, clocks, conflicts};
    access_rest(first, lanes & (lanes - 1), rewrites, *histories_[last & ~kIsHistory]);
    return;
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
      for (std::vector<Accesses>* list : {&history->writes, &history->reads, &history->strong}) {
        for (Accesses& accesses : *list) visit(accesses.event);
      }
      for (Observation& seen : history->observations) {
        visit(seen.write);
        visit(seen.reader);
      }
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
             (history->writes.capacity() + history->reads.capacity() + history->strong.capacity()) *
                 sizeof(Accesses) +
             history->observations.capacity() * sizeof(Observation);
  }
  return bytes;
}

}  // namespace warpcheck::checks
