#include "device/virtual/checks/shadow.hpp"

#include <algorithm>
#include <utility>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {
namespace {

// An event's number and a lane have 31 bits together.
constexpr std::uint32_t kMostEvents = 1u << 26;
constexpr std::size_t kFirstCompaction = std::size_t{1} << 20;
constexpr std::size_t kSettledAtMost = std::size_t{1} << 16;
constexpr std::size_t kSpareHistories = std::size_t{1} << 12;

/// True if accesses without order are neither a race nor a note.
bool need_no_order(const Event& a, const Event& b) {
  return morally_strong(a, b) && !a.is_volatile && !b.is_volatile;
}

}  // namespace

bool morally_strong(const Event& a, const Event& b) {
  const bool overlap = a.bytes == b.bytes || a.bytes == 0 || b.bytes == 0;
  return a.strong && b.strong && overlap && a.reach().includes(b.reach());
}

void Shadow::StrongSet::add(const Event& event) {
  in_one_block = in_one_block && (empty || least.block == event.block);
  in_one_cluster = in_one_cluster && (empty || least.cluster == event.cluster);
  has_one_size = has_one_size && (empty || bytes == event.bytes);
  bytes = event.bytes;
  least = {event.block, event.cluster, std::min(least.scope, event.scope)};
  has_writes = has_writes || event.write;
  has_volatile = has_volatile || event.is_volatile;
  empty = false;
}

bool Shadow::StrongSet::need_no_order_with(const Event& event) const {
  if (empty) return true;
  const bool within = scopes_include(in_one_block && least.block == event.block,
                                     in_one_cluster && least.cluster == event.cluster,
                                     std::min(least.scope, event.scope));
  const bool overlaps = has_one_size && bytes == event.bytes;
  return event.strong && within && overlaps && !has_volatile && !event.is_volatile;
}

Shadow::Shadow(std::size_t units)
    : pages_((units + kPageUnits - 1) / kPageUnits),
      trim_at_(kFirstCompaction),
      compact_at_(kFirstCompaction) {}

bool Shadow::is_silenced(const Event& event) const {
  return std::find(silenced_.begin(), silenced_.end(), event.op) != silenced_.end();
}

EventId Shadow::note(const Event& noted) {
  Event event = noted;
  if (event.is_volatile && event.strong && is_silenced(event)) event.is_volatile = false;
  EventId& recent = recent_[(event.op * 31 + event.warp * 7 + event.block) % recent_.size()];
  const bool is_strong_write = event.strong && event.write;
  if (recent != 0 && events_[recent] == event) return recent;
  if (events_.size() >= compact_at_) compact();
  events_.push_back(event);
  const auto added = static_cast<EventId>(events_.size() - 1);
  if (!is_strong_write) recent = added;
  return added;
}

void Shadow::silence_volatile(const std::vector<Conflict>& conflicts, std::size_t first) {
  const std::size_t before = silenced_.size();
  for (std::size_t i = first; i < conflicts.size(); ++i) {
    if (conflicts[i].grade != Grade::volatile_order) continue;
    for (const Event& event : {conflicts[i].first, conflicts[i].second}) {
      if (event.is_volatile && !is_silenced(event)) silenced_.push_back(event.op);
    }
  }
  if (silenced_.size() == before) return;
  for (Event& event : events_) event.is_volatile = event.is_volatile && !is_silenced(event);
  for (const auto& history : histories()) {
    history->strong_set.has_volatile =
        std::any_of(history->strong.begin(), history->strong.end(),
                    [&](const Accesses& each) { return events_[each.event].is_volatile; });
  }
}

bool Shadow::ordered(const Event& earlier, unsigned lane, const Access& access) const {
  if (earlier.thread_warp() == access.event.thread_warp() && lane == access.lane) return true;
  return access.clocks.ordered(earlier.block, earlier.warp, lane, earlier.interval,
                               access.event.warp, access.lane);
}

bool Shadow::may_race(const Access& access, EventId earlier) const {
  const Event& first = events_[earlier];
  return earlier >= settled_ && (first.write || access.event.write) &&
         !need_no_order(first, access.event);
}

void Shadow::compare(const Access& access, EventId earlier, unsigned lane) const {
  const Event& first = events_[earlier];
  if (may_race(access, earlier) && !ordered(first, lane, access)) add_conflict(access, first, lane);
}

void Shadow::add_conflict(const Access& access, const Event& first, unsigned lane) const {
  const bool is_added =  // compare_by_path() has added the conflict
      conflict_by_path(first, access.event) && access.clocks.is_of_grid(first.block);
  if (is_added) return;
  Grade grade = Grade::failure;
  if (morally_strong(first, access.event)) {
    grade = Grade::volatile_order;
  } else if (first.write && access.rewrites) {
    grade = Grade::same_value;
  } else if (access.clocks.ordered_by_fence(first.block, first.warp, lane, first.interval,
                                            access.event.warp, access.lane)) {
    grade = Grade::relaxed_order;
  }
  std::vector<Conflict>& all = access.conflicts;
  const bool repeats = grade == Grade::same_value && !all.empty() && all.back().grade == grade &&
                       all.back().first == first && all.back().second == access.event;
  if (repeats) {
    ++all.back().count;
  } else {
    all.push_back({first, lane, access.event, access.lane, access.unit, grade});
  }
}

/// Enters a weak access to a unit without a history. Returns false if the unit needs one.
bool Shadow::access_single(Page& page, const Access& access) {
  const std::size_t at = access.unit % kPageUnits;
  Stamp& last = page.last[at];
  const Stamp reader = page.reader ? (*page.reader)[at] : 0;
  const auto replaceable = [&](Stamp stamp) {
    if (settled(stamp) || is_same_thread(stamp, access.stamp())) return true;
    return !access.late && ordered(events_[stamp >> 5], stamp & 31, access);
  };
  if (page.equal && settled(last)) (*page.equal)[at] = 0;
  const bool has_equal = has_equal_writes(page, at);
  if (access.event.write) {
    const bool repeats = access.rewrites && events_[last >> 5].write;
    if (has_equal || (repeats && !replaceable(last))) return repeats && repeat_value(page, access);
    compare(access, last >> 5, last & 31);
    const bool is_known = repeats && is_same_thread(reader, last);  // the value, to its reader
    if (!is_known) compare(access, reader >> 5, reader & 31);
    last = access.stamp();
    if (reader != 0) (*page.reader)[at] = 0;
    return true;
  }
  if (!events_[last >> 5].write) {
    if (!replaceable(last)) return false;
    last = access.stamp();
    return true;
  }
  if (!replaceable(reader) || (has_equal && !is_same_thread(last, access.stamp()))) return false;
  compare(access, last >> 5, last & 31);
  words(page.reader)[at] = access.stamp();
  return true;
}

/// Adds a write of another block, or the first write, to a new history.
void Shadow::add_write(Stamp write, History& history) const {
  const Event& event = events_[write >> 5];
  history.only_thread.add(event, write & 31);
  LastBlock& last = history.last_block;
  if (event.block >= last.block) last = {event.block, history.writes.size()};
  history.writes.push_back(accesses_of(write));
}

Shadow::History& Shadow::history_of(Page& page, std::size_t at) {
  Stamp& last = page.last[at];
  if ((last & kIsHistory) != 0) return *histories_[last & ~kIsHistory];
  History& history = add_history();
  for (const Stamp write : equal_writes(page, at)) add_write(write, history);
  if (page.equal) (*page.equal)[at] = 0;
  const Stamp reader = page.reader ? std::exchange((*page.reader)[at], 0) : 0;
  if (!settled(last) && events_[last >> 5].write) add_write(last, history);
  for (const Stamp read : {last, reader}) {
    if (settled(read) || events_[read >> 5].write) continue;
    history.only_thread.add(events_[read >> 5], read & 31);
    history.reads.push_back(accesses_of(read));
  }
  last = kIsHistory | static_cast<Stamp>(used_histories_ - 1);
  return history;
}

void Shadow::History::clear() {
  only_thread = {};
  writes.clear();
  last_block = {};
  reads.clear();
  strong.clear();
  strong_set = {};
  overwritten = 0;
  observations.clear();
  last = {};
}

/// Returns an unused history. A kernel that synchronises often needs as many histories again and
/// again.
Shadow::History& Shadow::add_history() {
  if (used_histories_ == histories_.size()) histories_.push_back(std::make_unique<History>());
  History& history = *histories_[used_histories_++];
  history.clear();
  return history;
}

void Shadow::access_together(std::size_t unit, EventId id, Mask lanes, Mask rewrites, bool late,
                             const BlockClocks& clocks, std::vector<Conflict>& conflicts) {
  const Event& event = events_[id];
  const bool independent = !event.write || (event.strong && !event.observes);
  const bool rewrites_all = !event.strong && event.write && (lanes & ~rewrites) == 0 &&
                            clocks.share_clock(event.warp, lanes);
  const Stamp& last = page_of(unit).last[unit % kPageUnits];
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = machine::lowest(lanes);
    const Manner manner{(rewrites >> lane & 1) != 0, late};
    access(unit, id, lane, manner, clocks, conflicts);
    if ((last & kIsHistory) == 0 || !(independent || rewrites_all)) continue;
    const Access first{id, event, lane, manner.rewrites, late, unit, clocks, conflicts};
    History& history = *histories_[last & ~kIsHistory];
    const Mask rest = lanes & (lanes - 1);
    independent ? access_rest(first, rest, rewrites, history) : rewrite_rest(first, rest, history);
    return;
  }
}

void Shadow::access_remembered(const Access& access) {
  Page& page = page_of(access.unit);
  const std::size_t at = access.unit % kPageUnits;
  if (page.read_only && access.event.write) compare_by_path(access, (*page.read_only)[at]);
  const bool simple = (page.last[at] & kIsHistory) == 0 && !access.event.strong;
  if (simple && access_single(page, access)) return;
  access_history(access, history_of(page, at));
}

void Shadow::settle() {
  settled_ = static_cast<EventId>(events_.size());
  recent_.fill(0);
  const bool has_lists = used_histories_ != 0 || equal_writes_.size() > 1;
  if (events_.size() >= kSettledAtMost || has_lists) forget_all();
}

void Shadow::reset() {
  recent_.fill(0);
  silenced_.clear();
  compact_at_ = kFirstCompaction;
  forget_all();
}

void Shadow::forget_all() {
  for (auto& page : pages_) {
    if (page) *page = Page{};
  }
  used_histories_ = 0;
  if (histories_.size() > kSpareHistories) histories_.resize(kSpareHistories);
  events_.resize(1);
  equal_writes_.resize(1);
  settled_ = 1;
}

/// Removes the events that no unit refers to, and renumbers the others.
void Shadow::compact() {
  trim_equal_writes();
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
      for (Words* const words : {page->reader.get(), page->read_only.get()}) {
        if (words != nullptr) std::for_each(words->begin(), words->end(), visit_stamp);
      }
    }
    for (EqualWrite& equal : equal_writes_) visit_stamp(equal.write);
    for (const auto& history : histories()) {
      history->last = {};
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
  fine.silenced_ = silenced_;
  fine.settled_ = settled_;
  fine.compact_at_ = compact_at_;
  const auto copy = [&](Stamp stamp) {
    if ((stamp & kIsHistory) == 0) return stamp;
    fine.add_history() = *histories_[stamp & ~kIsHistory];
    return kIsHistory | static_cast<Stamp>(fine.used_histories_ - 1);
  };
  for (std::size_t unit = 0; unit < pages_.size() * kPageUnits; ++unit) {
    const Page* page = pages_[unit / kPageUnits].get();
    if (page == nullptr) continue;
    const std::size_t at = unit % kPageUnits;
    for (std::size_t i = unit * parts; i < (unit + 1) * parts; ++i) {
      Page& target = fine.page_of(i);
      target.last[i % kPageUnits] = copy(page->last[at]);
      if (page->reader) words(target.reader)[i % kPageUnits] = (*page->reader)[at];
      if (page->read_only) words(target.read_only)[i % kPageUnits] = (*page->read_only)[at];
      if (!has_equal_writes(*page, at)) continue;
      words(target.equal)[i % kPageUnits] = add_list(equal_writes(*page, at), fine.equal_writes_);
    }
  }
  return fine;
}

void add_kind(const Event& event, device::AccessKinds& kinds) {
  const bool strong = event.strong && event.scope == Scope::device;
  (event.write ? strong ? kinds.strong_write : kinds.write
   : strong    ? kinds.strong_read
               : kinds.read) = true;
}

void Shadow::add_kind(EventId id, device::AccessKinds& kinds) const {
  if (id != 0) checks::add_kind(events_[id], kinds);
}

device::AccessKinds Shadow::kinds_of(const Page& page, std::size_t at) const {
  device::AccessKinds kinds;
  if (page.read_only) add_kind((*page.read_only)[at] >> 5, kinds);
  if ((page.last[at] & kIsHistory) == 0) {
    add_kind(page.last[at] >> 5, kinds);
    if (page.reader) add_kind((*page.reader)[at] >> 5, kinds);
    return kinds;
  }
  const History& history = *histories_[page.last[at] & ~kIsHistory];
  for (const auto* const list : {&history.writes, &history.reads, &history.strong}) {
    for (const Accesses& accesses : *list) add_kind(accesses.event, kinds);
  }
  return kinds;
}

void Shadow::add_accesses(std::uint64_t address, std::size_t unit,
                          std::vector<device::AccessedRange>& accesses) const {
  for (std::size_t number = 0; number < pages_.size(); ++number) {
    const Page* const page = pages_[number].get();
    if (page == nullptr) continue;
    const std::uint64_t first = address + number * kPageUnits * unit;
    for (std::size_t at = 0; at < kPageUnits; ++at) {
      if (page->last[at] == 0 && (!page->read_only || (*page->read_only)[at] == 0)) continue;
      const device::AccessedRange one{first + at * unit, unit, kinds_of(*page, at)};
      const bool continues = !accesses.empty() && accesses.back().kinds == one.kinds &&
                             accesses.back().address + accesses.back().bytes == one.address;
      if (continues) {
        accesses.back().bytes += unit;
      } else {
        accesses.push_back(one);
      }
    }
  }
}

std::size_t Shadow::footprint() const {
  std::size_t bytes = events_.capacity() * sizeof(Event) + pages_.capacity() * sizeof(pages_[0]) +
                      equal_writes_.capacity() * sizeof(EqualWrite);
  for (const auto& page : pages_) {
    if (!page) continue;
    bytes += sizeof(Page);
    for (const auto* const words : {&page->reader, &page->read_only, &page->equal}) {
      if (*words) bytes += sizeof(Words);
    }
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
