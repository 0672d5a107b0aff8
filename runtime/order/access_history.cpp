#include "runtime/order/access_history.hpp"

#include <algorithm>
#include <iterator>

namespace warpcheck::runtime {
namespace {

using device::AccessedRange;
using device::AccessKinds;

bool conflict(const AccessKinds& one, const AccessKinds& other) {
  return (one.write && other.any()) || (other.write && one.any()) ||
         (one.strong_write && other.read) || (other.strong_write && one.read);
}

/// True if all that conflicts with accesses of the kinds `earlier` conflicts with `later` too.
bool covers(const AccessKinds& later, const AccessKinds& earlier) {
  if (later.write) return true;
  if (earlier.write) return false;
  if (earlier.read && !later.read) return false;
  return !earlier.strong_write || later.strong_write;
}

AccessKinds united(const AccessKinds& one, const AccessKinds& other) {
  return {one.read || other.read, one.write || other.write, one.strong_read || other.strong_read,
          one.strong_write || other.strong_write};
}

}  // namespace

AccessHistory::StateId AccessHistory::id_of(State state) {
  const auto [found, added] = ids_.emplace(state, static_cast<StateId>(states_.size()));
  if (added) states_.push_back(std::move(state));
  return found->second;
}

AccessHistory::Step AccessHistory::step(StateId from, WorkNumber number, const AccessKinds& kinds,
                                        const IsOrdered& is_ordered) {
  Step result;
  State next;
  AccessKinds own = kinds;
  for (const Entry& entry : states_[from]) {
    if (entry.work == number) {
      own = united(own, entry.kinds);
      continue;
    }
    const bool ordered = is_ordered(entry.work);
    if (!ordered && conflict(entry.kinds, kinds)) {
      result.conflicts.push_back({entry.work, entry.kinds.any_write(), kinds.any_write(), 0});
    }
    if (!ordered || !covers(kinds, entry.kinds)) next.push_back(entry);
  }
  next.push_back({number, own});
  result.next = id_of(std::move(next));
  return result;
}

AccessHistory::Runs::iterator AccessHistory::split(std::uint64_t address) {
  const auto after = runs_.lower_bound(address);
  if (after == runs_.begin()) return after;
  Run& before = std::prev(after)->second;
  if (before.end <= address) return after;
  const Run rest{before.end, before.state};
  before.end = address;
  return runs_.emplace_hint(after, address, rest);
}

void AccessHistory::put(std::uint64_t begin, std::uint64_t end, StateId state) {
  const auto after = runs_.lower_bound(begin);
  if (after != runs_.begin()) {
    Run& before = std::prev(after)->second;
    if (before.end == begin && before.state == state) {
      before.end = end;
      return;
    }
  }
  runs_.emplace_hint(after, begin, Run{end, state});
}

void AccessHistory::access(const AccessedRange& range, WorkNumber number,
                           const IsOrdered& is_ordered, std::vector<WorkConflict>& conflicts) {
  if (stepping_ != number || stepping_kinds_ != range.kinds || stepping_early_ != range.early) {
    steps_.clear();
    stepping_ = number;
    stepping_kinds_ = range.kinds;
    stepping_early_ = range.early;
  }
  const std::uint64_t end = range.address + range.bytes;
  const auto first = split(range.address);
  const auto last = split(end);
  const std::vector<Runs::value_type> before(first, last);
  runs_.erase(first, last);
  const auto enter = [&](std::uint64_t begin, std::uint64_t until, StateId state) {
    if (begin == until) return;
    auto known = steps_.find(state);
    if (known == steps_.end()) {
      known = steps_.emplace(state, step(state, number, range.kinds, is_ordered)).first;
      for (WorkConflict one : known->second.conflicts) {
        one.address = begin;
        const auto same = [&](const WorkConflict& other) { return other.earlier == one.earlier; };
        if (std::none_of(conflicts.begin(), conflicts.end(), same)) conflicts.push_back(one);
      }
    }
    put(begin, until, known->second.next);
  };
  std::uint64_t at = range.address;
  for (const auto& [begin, run] : before) {
    enter(at, begin, 0);
    enter(begin, run.end, run.state);
    at = run.end;
  }
  enter(at, end, 0);
}

std::vector<WorkAccess> AccessHistory::accesses(std::uint64_t address, std::size_t bytes,
                                                std::size_t most) const {
  std::vector<WorkAccess> found;
  const std::uint64_t end = address + bytes;
  auto run = runs_.upper_bound(address);
  if (run != runs_.begin() && std::prev(run)->second.end > address) --run;
  for (std::size_t runs = 0; run != runs_.end() && run->first < end; ++run) {
    if (++runs > most) return {};
    for (const Entry& entry : states_[run->second.state]) {
      found.push_back(
          {std::max(run->first, address), std::min(run->second.end, end), entry.work, entry.kinds});
    }
  }
  return found;
}

void AccessHistory::clear() { *this = {}; }

void AccessHistory::forget(std::uint64_t address, std::size_t bytes) {
  const auto first = split(address);
  const auto last = split(address + bytes);
  runs_.erase(first, last);
}

std::set<WorkNumber> AccessHistory::compact() {
  std::set<WorkNumber> used;
  const std::vector<State> states = std::exchange(states_, {State{}});
  ids_ = {{State{}, 0}};
  stepping_ = 0;
  for (auto& [address, run] : runs_) {
    run.state = id_of(states[run.state]);
    for (const Entry& entry : states_[run.state]) used.insert(entry.work);
  }
  return used;
}

}  // namespace warpcheck::runtime
