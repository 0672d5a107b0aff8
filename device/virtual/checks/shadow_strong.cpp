// The strong accesses in the history of a unit of memory. A later access can stand for earlier
// ones, which are then removed.
#include <algorithm>
#include <bit>
#include <utility>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {

/// Adds a strong access of `lanes`. `continues`: the access reads, or observes the last strong
/// write. It replaces an earlier access of the same threads if that access happens before
/// everything that the new one happens before: a read replaces reads, a write replaces the writes
/// that it observes. Other threads may observe a write, and so happen after it (rule 2), but not
/// after the earlier accesses of its thread.
void Shadow::remember_strong(const Access& access, Mask lanes, bool continues,
                             History& history) const {
  const Event& event = access.event;
  std::vector<Accesses>& strong = history.strong;
  history.strong_set.add(event);
  bool is_any_empty = false;
  for (std::size_t i = 0; i < strong.size(); ++i) {
    if (strong[i].warp != event.thread_warp()) continue;
    const Event& earlier = events_[strong[i].event];
    const bool observed = continues && i >= history.overwritten;
    const bool replaces = event.write ? earlier.write && observed : !earlier.write;
    if (!replaces || has_more_opponents(earlier, event)) continue;
    strong[i].lanes &= ~lanes;
    is_any_empty = is_any_empty || strong[i].lanes == 0;
  }
  if (is_any_empty) erase_empty(strong, &history.overwritten);
  if (continues && strong.size() > history.overwritten && strong.back().event == access.id) {
    strong.back().lanes |= lanes;
    return;
  }
  append(access, lanes, strong, &history.overwritten);
  if (!continues) {
    const std::size_t begin = std::exchange(history.overwritten, strong.size() - 1);
    stand_for_earlier(begin, history);
  }
}

/// Adds the strong stores of `lanes`, after the store of another lane of the same instruction. The
/// last store overwrites the others.
void Shadow::store_rest(const Access& access, Mask lanes, History& history) const {
  std::vector<Accesses>& strong = history.strong;
  const Mask last = std::bit_floor(lanes);
  strong.back().lanes |= lanes & ~last;
  append(access, last, strong, &history.overwritten);
  const std::size_t begin = std::exchange(history.overwritten, strong.size() - 1);
  stand_for_earlier(begin, history);
}

/// The lanes of a write that some thread observed without observing the earlier access of the lane.
Mask Shadow::observed_beyond(const Accesses& earlier, const Accesses& write,
                             const History& history) const {
  Mask lanes = 0;
  for (const Observation& seen : history.observations) {
    if (seen.write != write.event) continue;
    Mask rest = seen.write_lanes & write.lanes;
    for (const Observation& before : history.observations) {
      const bool covers =
          before.write == earlier.event && (seen.lanes & ~before.lanes) == 0 &&
          events_[before.reader].thread_warp() == events_[seen.reader].thread_warp();
      if (covers) rest &= ~before.write_lanes;
    }
    lanes |= rest;
  }
  return lanes;
}

/// Removes accesses for which an overwritten write stands. The last strong write has overwritten
/// the writes from `begin` on; no later access will observe them. Such a write stands for an
/// earlier access of its thread if each thread that observed it observed that access before:
/// accesses that happen after the write then happen after both.
void Shadow::stand_for_earlier(std::size_t begin, History& history) const {
  std::vector<Accesses>& strong = history.strong;
  bool is_any_empty = false;
  for (std::size_t i = begin; i < history.overwritten; ++i) {
    const Event& write = events_[strong[i].event];
    if (!write.write) continue;
    for (std::size_t j = 0; j < i; ++j) {
      Accesses& earlier = strong[j];
      Mask lanes = earlier.lanes & strong[i].lanes;
      if (earlier.warp != strong[i].warp || lanes == 0) continue;
      if (has_more_opponents(events_[earlier.event], write)) continue;
      lanes &= ~observed_beyond(earlier, strong[i], history);
      forget_observations(history, earlier.event, lanes);
      earlier.lanes &= ~lanes;
      is_any_empty = is_any_empty || earlier.lanes == 0;
    }
  }
  if (is_any_empty) erase_empty(strong, &history.overwritten);
  const std::size_t end = history.overwritten;
  if (end >= 2 && strong[end - 2].event == strong[end - 1].event) {  // both are lanes of one store
    strong[end - 2].lanes |= strong[end - 1].lanes;
    strong.erase(strong.begin() + static_cast<std::ptrdiff_t>(--history.overwritten));
  }
}

/// Adds a strong store of the only thread of the history, whose last access is a store, too.
bool Shadow::stores_again(const Access& access, History& history) const {
  std::vector<Accesses>& strong = history.strong;
  const bool are_alike = std::all_of(strong.begin(), strong.end(), [&](const Accesses& earlier) {
    const Event& event = events_[earlier.event];
    return event.scope == access.event.scope && event.bytes == access.event.bytes;
  });
  if (!are_alike || !history.observations.empty()) return false;
  history.strong_set.add(access.event);
  history.last = {};
  strong.front() = strong.back();
  strong[1] = {access.event.thread_warp(), access.id, Mask{1} << access.lane};
  strong.resize(2);
  history.overwritten = 1;
  return true;
}

/// Adds an access of the only thread of the history if it is a store after a store, or if its loads
/// and stores take turns, all strong and with one scope and size, as accesses to a volatile
/// variable do. A load replaces the previous load. A store replaces the accesses before the store
/// that it overwrites. See remember_strong(): no other thread observes the stores.
bool Shadow::alternates(const Access& access, History& history) const {
  std::vector<Accesses>& strong = history.strong;
  const std::size_t count = strong.size();
  const Event& event = access.event;
  if (!event.strong || event.update || count < 2 || count > 3) return false;
  if (event.write && history.overwritten == count - 1) return stores_again(access, history);
  if (history.overwritten != count - (event.write ? 2 : 1)) return false;
  const auto is = [&](std::size_t i, bool write) {
    const Event& earlier = events_[strong[i].event];
    return earlier.write == write && !earlier.update && earlier.scope == event.scope &&
           earlier.bytes == event.bytes;
  };
  // The last access is of the other kind, the one before it is of this kind, and a store precedes
  // both.
  if (!is(count - 1, !event.write) || !is(count - 2, event.write)) return false;
  if (count == 3 && !is(0, true)) return false;
  if (!history.observations.empty()) return false;
  const Accesses added{event.thread_warp(), access.id, Mask{1} << access.lane};
  history.strong_set.add(event);
  history.last = {};
  if (!event.write) {
    strong[count - 2] = std::exchange(strong[count - 1], added);
    history.overwritten = count - 2;
    return true;
  }
  if (count == 3) {
    strong[0] = strong[1];
    strong[1] = std::exchange(strong[2], added);
  } else {
    strong.push_back(added);
  }
  history.overwritten = strong.size() - 1;
  return true;
}

}  // namespace warpcheck::checks
