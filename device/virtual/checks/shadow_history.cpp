// The accesses to a unit of memory that do not fit into the two words of its shadow.
#include <algorithm>
#include <bit>
#include <utility>

#include "device/virtual/checks/shadow.hpp"
#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::checks {

void Shadow::OtherBlocks::add_others_than(const ScopedPlace& reach, Scope scope) {
  const Scope both = std::min(reach.scope, scope);
  if (both == Scope::device) return;  // this scope includes every block
  const bool within_cluster = both == Scope::cluster;
  if (!any) {
    any = true;
    is_cluster = within_cluster;
    exception = reach;
    return;
  }
  // The new exception is the intersection of both exceptions.
  const bool same_block = exception.block == reach.block;
  const bool same_cluster = exception.cluster == reach.cluster;
  all = all || !(is_cluster || within_cluster ? same_cluster : same_block);
  if (is_cluster && !within_cluster) exception = reach;
  is_cluster = is_cluster && within_cluster;
}

bool Shadow::OtherBlocks::has_others_than(const ScopedPlace& reach, Scope scope) const {
  const Scope both = std::min(reach.scope, scope);
  if (both == Scope::device || all) return true;
  if (!any) return false;
  return both == Scope::cluster ? exception.cluster == reach.cluster
                                : !is_cluster && exception.block == reach.block;
}

void Shadow::Opponents::add(const Event& write) {
  for (const Scope scope : kScopes) {
    by_scope[index(scope)].add_others_than(write.reach(), scope);
  }
}

bool Shadow::Opponents::include_those_of(const Event& write) const {
  return std::all_of(kScopes.begin(), kScopes.end(), [&](Scope scope) {
    return by_scope[index(scope)].has_others_than(write.reach(), scope);
  });
}

/// The lanes of an earlier event whose accesses do not happen before this access.
Mask Shadow::unordered(const Accesses& earlier, const Access& access) const {
  const Event& event = events_[earlier.event];
  Mask lanes = earlier.lanes;
  if (earlier.warp == access.event.thread_warp()) lanes &= ~(Mask{1} << access.lane);
  return lanes & ~access.clocks.ordered_lanes(event.block, event.warp, lanes, event.interval,
                                              access.event.warp, access.lane);
}

/// False if no access of the history races with the event, regardless of synchronisation.
bool Shadow::may_race(const Access& access, const History& history) const {
  const auto any_of = [&](const std::vector<Accesses>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Accesses& earlier) { return may_race(access, earlier.event); });
  };
  return any_of(history.writes) || (access.event.write && any_of(history.reads)) ||
         (!history.strong_set.need_no_order_with(access.event) && any_of(history.strong));
}

/// True if a thread has an access in the list.
bool Shadow::wrote(const Event& event, unsigned lane, const std::vector<Accesses>& list) const {
  return std::any_of(list.begin(), list.end(), [&](const Accesses& earlier) {
    return earlier.warp == event.thread_warp() && (earlier.lanes >> lane & 1) != 0;
  });
}

/// Skips a read by a thread that wrote the same value: it reads that value in any order.
void Shadow::compare_reads(const Access& access, const History& history) const {
  if (!access.event.write) return;
  for (const Accesses& accesses : history.reads) {
    // Checked once for 32 lanes, because many lanes may read one unit.
    if (!may_race(access, accesses.event)) continue;
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
  if (history.strong_set.need_no_order_with(access.event)) return;
  for (const Accesses& accesses : history.strong) {
    if (!may_race(access, accesses.event)) continue;
    Mask lanes = unordered(accesses, access);
    if (lanes != 0) lanes &= ~observed_before(accesses.event, access, history);
    if (lanes != 0) add_conflict(access, events_[accesses.event], machine::lowest(lanes));
  }
}

/// Reports at most one conflict: with the last unordered write. The other writes stored the same
/// value.
void Shadow::compare_writes(const Access& access, const History& history) const {
  if (!access.event.write && wrote(access.event, access.lane, history.writes)) return;
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

void Shadow::look(std::size_t unit, EventId event, unsigned lane, const BlockClocks& clocks,
                  std::vector<Conflict>& conflicts, OrderedWrite& ordered) {
  Page& page = page_of(unit);
  const Stamp& last = page.last[unit % kPageUnits];
  const bool has_equal = !settled(last) && has_equal_writes(page, unit % kPageUnits);
  if (has_equal) static_cast<void>(history_of(page, unit % kPageUnits));
  if (last == ordered) return;
  const Access access{event, events_[event], lane, false, false, unit, clocks, conflicts};
  if ((last & kIsHistory) != 0) return compare_all(access, *histories_[last & ~kIsHistory]);
  const std::size_t before = conflicts.size();
  compare(access, last >> 5, last & 31);
  const bool own = events_[last >> 5].thread_warp() == access.event.thread_warp();
  if (conflicts.size() == before && !own) ordered = last;
}

/// The lanes of a write that happen before the access in causality order, because a strong read
/// that happens before the access returned their value (PTX ISA 8.9.5, rule 2).
Mask Shadow::observed_before(EventId write, const Access& access, const History& history) const {
  Mask observed = 0;
  for (const Observation& seen : history.observations) {
    if (seen.write != write) continue;
    for (Mask lanes = seen.lanes; lanes != 0; lanes &= lanes - 1) {
      if (!ordered(events_[seen.reader], machine::lowest(lanes), access)) continue;
      observed |= seen.write_lanes;
      break;
    }
  }
  return observed;
}

/// True if the access, which is strong, reads the value of the last strong write, and is morally
/// strong with it.
bool Shadow::observes_last(const Access& access, const History& history) const {
  if (!history.strong_set.has_writes) return false;
  for (std::size_t i = history.strong.size(); i-- > history.overwritten;) {
    const Event& write = events_[history.strong[i].event];
    if (write.write) return morally_strong(write, access.event);
  }
  return false;
}

/// Adds an observation. Returns false if the list was full; the oldest observation is then dropped.
bool Shadow::add_observation(History& history, const Observation& added) {
  std::vector<Observation>& all = history.observations;
  for (Observation& seen : all) {
    if (seen.write != added.write || seen.reader != added.reader) continue;
    if (seen.write_lanes == added.write_lanes) {
      seen.lanes |= added.lanes;
      return true;
    }
    if (seen.lanes == added.lanes) {
      seen.write_lanes |= added.write_lanes;
      return true;
    }
  }
  const bool full = all.size() >= kRemembered;
  if (full) all.erase(all.begin());
  all.push_back(added);
  return !full;
}

void Shadow::forget_observations(History& history, EventId write, Mask lanes) {
  if (history.observations.empty()) return;
  std::erase_if(history.observations, [&](Observation& seen) {
    if (seen.write == write) seen.write_lanes &= ~lanes;
    return seen.write_lanes == 0;
  });
}

/// Records that a strong read of `lanes` returned the value of the last strong write, and of the
/// writes that led to it through atomics (observation order, PTX ISA 8.9.2). Returns false if one
/// of several writes may have been dropped; other lanes of the event must then be recorded one by
/// one.
bool Shadow::observe(const Access& access, Mask lanes, History& history) const {
  if (!observes_last(access, history)) return true;
  bool dropped = false;
  for (std::size_t i = history.strong.size(); i-- > history.overwritten;) {
    const Accesses& earlier = history.strong[i];
    const Event& write = events_[earlier.event];
    const bool is_own = earlier.warp == access.event.thread_warp() && earlier.lanes == lanes &&
                        // Accesses that happen after the read happen after the write.
                        std::has_single_bit(lanes);
    if (!write.write || is_own) continue;
    const bool complete =
        add_observation(history, {earlier.event, earlier.lanes, access.id, lanes});
    dropped = dropped || (!complete && write.update);
  }
  return !dropped;
}

/// Replaces earlier writes by an atomic that observes them: what happens after the atomic happens
/// after them (rule 2). A write is replaced if its opponents in a race are also opponents of the
/// atomic, or of a write that remains. A thread that does not use the result of its atomic behaves
/// the same in any order of the atomics, so that those are compared.
void Shadow::stand_for_observed(const Access& access, History& history) const {
  Opponents opponents;
  opponents.add(access.event);
  std::vector<Accesses>& strong = history.strong;
  for (std::size_t i = strong.size(); i-- > history.overwritten;) {
    const Accesses earlier = strong[i];
    const Event& write = events_[earlier.event];
    if (!write.write) continue;
    if (opponents.include_those_of(write) || history.observations.size() >= kRemembered) {
      strong.erase(strong.begin() + static_cast<std::ptrdiff_t>(i));
      forget_observations(history, earlier.event, earlier.lanes);
    } else {
      opponents.add(write);
      add_observation(history, {earlier.event, earlier.lanes, access.id, Mask{1} << access.lane});
    }
  }
}

/// True if none of these lanes of the event races, provided that two of them do not. The lanes have
/// one clock, so that each of the two was compared with the accesses of the other's thread. A
/// comparison does not depend on the accesses of the thread itself.
bool Shadow::lanes_compare_alike(const Access& access, Mask lanes, const History& history) const {
  const bool observed =
      !history.observations.empty() && !history.strong_set.need_no_order_with(access.event);
  return history.writes.size() <= 1 && !observed &&
         access.clocks.share_clock(access.event.warp, lanes);
}

/// Adds an atomic that observes the atomic of another lane of the same instruction, if two lanes
/// were compared before without a race: many lanes may update one unit.
bool Shadow::repeats_atomic(const Access& access, History& history) const {
  const LastAtomic& last = history.last;
  const Mask lane = Mask{1} << access.lane;
  const bool enough = (last.clean & (last.clean - 1)) != 0 && (last.clean & lane) == 0;
  if (last.event != access.id || !enough) return false;
  if (!lanes_compare_alike(access, last.clean | lane, history)) return false;
  if (history.observations.size() >= kRemembered) return false;
  for (Observation& seen : history.observations) {  // observations of the writes that remain
    if (seen.write == access.id) return false;
    if (seen.reader == access.id) seen.lanes |= lane;
  }
  history.strong.back().lanes = lane;
  return true;
}

/// True if another access may race with the earlier access but not with the later one of the same
/// thread, because of the scope or size of the earlier access.
bool Shadow::has_more_opponents(const Event& earlier, const Event& event) const {
  return earlier.strong && (earlier.scope < event.scope || earlier.bytes != event.bytes);
}

/// Erases accesses without lanes. `first`, if not null, is an index into the list.
void Shadow::erase_empty(std::vector<Accesses>& list, std::size_t* first) {
  const auto empty = [](const Accesses& accesses) { return accesses.lanes == 0; };
  if (first != nullptr) {
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(*first);
    *first -= static_cast<std::size_t>(std::count_if(list.begin(), end, empty));
  }
  std::erase_if(list, empty);
}

void Shadow::append(const Access& access, Mask lanes, std::vector<Accesses>& list,
                    std::size_t* first) {
  if (list.size() >= kRemembered) {
    list.erase(list.begin());
    if (first != nullptr && *first != 0) --*first;
  }
  constexpr std::size_t kAtFirst = 4;  // a unit with a history often has several readers
  if (list.capacity() == 0) list.reserve(kAtFirst);
  list.push_back({access.event.thread_warp(), access.id, lanes});
}

/// Adds a weak access of `lanes` to a list. It replaces earlier accesses of the same threads.
void Shadow::remember(const Access& access, Mask lanes, std::vector<Accesses>& list) const {
  bool is_any_empty = false;
  for (Accesses& earlier : list) {
    if (earlier.warp != access.event.thread_warp()) continue;
    earlier.lanes &= ~lanes;
    is_any_empty = is_any_empty || earlier.lanes == 0;
  }
  if (is_any_empty) erase_empty(list);
  if (!list.empty() && list.back().event == access.id) {
    list.back().lanes |= lanes;
  } else {
    append(access, lanes, list);
  }
}

/// Adds a weak write of `lanes`, which include the lane of the access and have its clock. It
/// replaces earlier writes that wrote another value, are of the same threads, or happen before it.
/// Many blocks may write one value to a unit: their writes are skipped if none happens before this
/// one.
void Shadow::remember_write(const Access& access, Mask lanes, History& history) const {
  std::vector<Accesses>& writes = history.writes;
  LastBlock& last = history.last_block;
  const Event& event = access.event;
  if (!access.rewrites) {
    writes.clear();
    last = {event.block, 0};
  }
  const bool only_own = access.clocks.sees_only_own_block(event.warp, access.lane);
  const std::size_t first = !only_own || event.block < last.block ? 0
                            : event.block == last.block           ? last.begin
                                                                  : writes.size();
  const auto replaces = [&](Accesses& earlier) {
    if (only_own && !is_of_block(earlier, event.block)) return false;
    earlier.lanes = unordered(earlier, access);
    if (earlier.warp == event.thread_warp()) earlier.lanes &= ~lanes;
    return earlier.lanes == 0;
  };
  const auto rest = writes.begin() + static_cast<std::ptrdiff_t>(first);
  writes.erase(std::remove_if(rest, writes.end(), replaces), writes.end());
  last.begin = std::min(last.begin, first);
  if (!writes.empty() && writes.back().event == access.id) {
    writes.back().lanes |= lanes;
    return;
  }
  if (event.block > last.block) last = {event.block, writes.size()};
  append(access, lanes, writes, &last.begin);
}

/// True if the access repeats the last read of a list, by the same op in the same interval. Every
/// later access was compared with that read. Threads that poll a flag mostly make such accesses.
bool Shadow::repeated(const Access& access, const std::vector<Accesses>& list) {
  return !access.event.write && !list.empty() && list.back().event == access.id &&
         (list.back().lanes >> access.lane & 1) != 0;
}

void Shadow::access_history(const Access& access, History& history) const {
  const bool is_alone = history.only_thread.add(access.event, access.lane);
  if (is_alone && alternates(access, history)) return;
  if (repeated(access, access.event.strong ? history.strong : history.reads)) return;
  if (repeats_atomic(access, history)) return;
  const std::size_t before = access.conflicts.size();
  if (!is_alone) compare_all(access, history);
  const Mask lane = Mask{1} << access.lane;
  const LastAtomic last = std::exchange(history.last, {});
  if (access.event.strong) {
    const bool continues =
        !access.event.write || (access.event.update && observes_last(access, history));
    if (access.event.observes && continues) {
      const Mask clean = last.event == access.id ? last.clean : 0;
      stand_for_observed(access, history);
      const bool is_clean = access.conflicts.size() == before && !access.rewrites;
      history.last = {access.id, is_clean ? clean | lane : 0};
    } else if (!access.event.write) {
      observe(access, lane, history);
    }
    remember_strong(access, lane, continues, history);
  } else if (access.event.write) {
    remember_write(access, lane, history);
    history.reads.clear();
    history.strong.clear();
    history.strong_set = {};
    history.overwritten = 0;
    history.observations.clear();
  } else {
    remember(access, lane, history.reads);
  }
}

/// Compares lanes of the event of `access`: all, or as many as necessary.
void Shadow::compare_rest(const Access& access, Mask lanes, Mask rewrites,
                          const History& history) const {
  const std::size_t before = access.conflicts.size();
  const bool alike = (rewrites & lanes) == 0 && lanes_compare_alike(access, lanes, history);
  unsigned compared = 0;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    if (alike && compared++ >= 2 && access.conflicts.size() == before) return;
    const unsigned lane = machine::lowest(rest);
    const Access each{access.id,   access.event, lane,          (rewrites >> lane & 1) != 0,
                      access.late, access.unit,  access.clocks, access.conflicts};
    compare_all(each, history);
  }
}

/// Enters accesses by other lanes of the event of `access`, which is entered, to the same unit.
/// These accesses do not race with one another, because they read or are strong.
void Shadow::access_rest(const Access& access, Mask lanes, Mask rewrites, History& history) const {
  std::vector<Accesses>& list = access.event.strong ? history.strong : history.reads;
  if (!access.event.write && !list.empty() && list.back().event == access.id) {
    lanes &= ~list.back().lanes;  // removes lanes that repeat the read
  }
  if (lanes == 0) return;
  history.only_thread.add_several();
  if (may_race(access, history)) compare_rest(access, lanes, rewrites, history);
  if (access.event.write && !access.event.update) return store_rest(access, lanes, history);
  if (access.event.strong && !access.event.write) {
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
      if (!observe(access, rest & (~rest + 1), history)) continue;
      observe(access, rest, history);
      break;
    }
  }
  access.event.strong ? remember_strong(access, lanes, true, history)
                      : remember(access, lanes, list);
}

/// Enters weak stores of the value that the unit already holds, by lanes with one clock. After the
/// first lane's store, the history holds only that store and unordered stores of the same value.
void Shadow::rewrite_rest(const Access& access, Mask lanes, History& history) const {
  history.only_thread.add_several();
  const Mask earlier = history.writes.back().lanes;  // lanes of the same event
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = machine::lowest(rest);
    const Access each{access.id,   access.event, lane,          true,
                      access.late, access.unit,  access.clocks, access.conflicts};
    add_conflict(each, access.event, machine::lowest(earlier & ~(Mask{1} << lane)));
  }
  remember_write(access, lanes | Mask{1} << access.lane, history);
}

}  // namespace warpcheck::checks
