#include "device/virtual/checks/block_clocks.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpcheck::checks {

BlockClocks::BlockClocks(unsigned threads)
    : threads_(threads), warps_((threads + kLanes - 1) / kLanes) {}

void BlockClocks::start(std::uint32_t block, const GridClock* before, std::uint32_t grid) {
  block_ = block;
  cluster_ = block;
  grid_ = grid;
  before_ = before;
  forget_arrivals();
  flags_.clear();
  Warp begin;
  if (before != nullptr) begin.groups.front().others = before->at_launch;
  plain_ = begin.groups.front().others.empty();
  warps_.assign(warps_.size(), begin);
  fenced_ = false;
}

void BlockClocks::forget_arrivals() {
  for (; arrived_ != 0; arrived_ &= arrived_ - 1) barriers_[machine::lowest(arrived_)] = {};
}

/// The bounds of the threads of `block` in the clock of a thread of this block. Null: all are 0.
const BlockClock* BlockClocks::clock_of(std::uint32_t block, unsigned later_warp,
                                        unsigned later_lane) const {
  for (const Group& group : warps_[later_warp].groups) {
    if ((group.lanes >> later_lane & 1) == 0) continue;
    if (block == block_) return &group.home;
    const auto other = group.others.find(block);
    return other != group.others.end() ? &other->second : nullptr;
  }
  return nullptr;
}

bool BlockClocks::ordered(std::uint32_t block, unsigned warp, unsigned lane, Interval interval,
                          unsigned later_warp, unsigned later_lane) const {
  if (before_ != nullptr && before_->has_ended(block)) return true;
  const BlockClock* const clock = clock_of(block, later_warp, later_lane);
  return clock != nullptr && clock->covers(warp, lane, interval);
}

Mask BlockClocks::ordered_lanes(std::uint32_t block, unsigned warp, Mask lanes, Interval interval,
                                unsigned later_warp, unsigned later_lane) const {
  if (before_ != nullptr && before_->has_ended(block)) return lanes;
  const BlockClock* const clock = clock_of(block, later_warp, later_lane);
  return clock != nullptr ? clock->covered(warp, lanes, interval) : Mask{0};
}

bool BlockClocks::ordered_for_another(std::uint32_t block, unsigned warp, unsigned lane,
                                      Interval interval) const {
  for (unsigned later_warp = 0; later_warp < warps_.size(); ++later_warp) {
    for (const Group& group : warps_[later_warp].groups) {
      if (ordered(block, warp, lane, interval, later_warp, machine::lowest(group.lanes)))
        return true;
    }
  }
  return false;
}

bool BlockClocks::share_clock(unsigned warp, Mask lanes) const {
  const std::vector<Group>& groups = warps_[warp].groups;
  return std::any_of(groups.begin(), groups.end(),
                     [lanes](const Group& group) { return (lanes & ~group.lanes) == 0; });
}

bool BlockClocks::ordered_by_fence(std::uint32_t block, unsigned warp, unsigned lane,
                                   Interval interval, unsigned later_warp,
                                   unsigned later_lane) const {
  for (const Group& group : warps_[later_warp].groups) {
    if ((group.lanes >> later_lane & 1) == 0) continue;
    const auto observed = group.relaxed.find(block);
    return observed != group.relaxed.end() && observed->second.covers(warp, lane, interval);
  }
  return false;
}

/// Returns the groups that consist of these lanes. Splits groups that also contain other lanes.
std::vector<BlockClocks::Group*> BlockClocks::groups_of(unsigned warp, Mask lanes) {
  std::vector<Group>& groups = warps_[warp].groups;
  for (std::size_t i = 0, count = groups.size(); i < count; ++i) {
    const Mask outside = groups[i].lanes & ~lanes;
    if (outside == 0 || outside == groups[i].lanes) continue;
    Group rest = groups[i];
    rest.lanes = outside;
    groups[i].lanes &= lanes;
    groups.push_back(std::move(rest));
  }
  std::vector<Group*> inside;
  for (Group& group : groups) {
    if ((group.lanes & lanes) != 0) inside.push_back(&group);
  }
  return inside;
}

VectorClock BlockClocks::clock_of(const Group& group) const {
  VectorClock clock = group.others;
  clock[block_].join(group.home);
  return clock;
}

void BlockClocks::acquire(Group& group, const VectorClock& clock) const {
  const auto own = clock.find(block_);
  if (own != clock.end()) group.home.join(own->second);
  group.others.join(clock);
}

void BlockClocks::release(unsigned warp, Mask lanes, VectorClock& into) {
  const Interval next = ++warps_[warp].now;
  for (const Group& group : warps_[warp].groups) {
    if ((group.lanes & lanes) == 0) continue;
    join(into, clock_of(group));
    into[block_].cover(warp, group.lanes & lanes, next);
  }
}

void BlockClocks::release_fenced(unsigned warp, Mask lanes, VectorClock& into) {
  for (const Group& group : warps_[warp].groups) {
    if ((group.lanes & lanes) != 0) release(warp, group, lanes, Scope::cluster, into);
  }
}

void BlockClocks::acquire(unsigned warp, Mask lanes, const VectorClock& from) {
  plain_ = false;
  for (Group* group : groups_of(warp, lanes)) acquire(*group, from);
}

/// Joins to `into` the clock that strong stores by these lanes of the group release since the
/// group's last fence of this scope.
void BlockClocks::release(unsigned warp, const Group& group, Mask lanes, Scope scope,
                          VectorClock& into) const {
  const std::size_t at = index(scope);
  join(into, group.fenced[at]);
  if (group.fenced_at[at] != 0) into[block_].cover(warp, group.lanes & lanes, group.fenced_at[at]);
}

/// Gives the lanes one clock: the join of their clocks and `clock`. A fence of one lane counts for
/// all: the hardware makes the fenced accesses visible before the barrier, and kernels that fence,
/// synchronise, and let one thread set the flag rely on it.
void BlockClocks::unite(unsigned warp, Mask lanes, const VectorClock& clock) {
  plain_ = false;
  Group united;
  united.lanes = 0;
  for (const Group* group : groups_of(warp, lanes)) {
    united.lanes |= group->lanes;
    united.home.join(group->home);
    join(united.others, group->others);
    for (const Scope scope : kScopes) {
      release(warp, *group, lanes, scope, united.fenced[index(scope)]);
      join(united.observed[index(scope)], group->observed[index(scope)]);
    }
    join(united.relaxed, group->relaxed);
  }
  acquire(united, clock);
  std::vector<Group>& groups = warps_[warp].groups;
  std::erase_if(groups, [&](const Group& group) { return (group.lanes & lanes) != 0; });
  groups.push_back(std::move(united));
}

void BlockClocks::warp_barrier(unsigned warp, Mask lanes) {
  VectorClock clock;
  release(warp, lanes, clock);
  unite(warp, lanes, clock);
}

void BlockClocks::join_arrived(unsigned warp, Mask lanes, Barrier& barrier) {
  release(warp, lanes, barrier.clock);
  for (const Group* group : groups_of(warp, lanes)) {
    for (const Scope scope : kScopes) {
      release(warp, *group, lanes, scope, barrier.fenced[index(scope)]);
    }
  }
}

void BlockClocks::arrive(unsigned barrier, unsigned warp, Mask lanes, bool waits) {
  Barrier& state = barriers_[barrier];
  arrived_ |= 1U << barrier;
  if (waits) {
    state.waiting[warp] |= lanes;  // they execute nothing until complete()
  } else {
    join_arrived(warp, lanes, state);
  }
}

bool BlockClocks::complete(unsigned barrier, unsigned exited) {
  Barrier state = std::exchange(barriers_[barrier], Barrier{});
  unsigned waiting = 0;
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    waiting += static_cast<unsigned>(std::popcount(state.waiting[warp]));
  }
  if (waiting + exited == threads_) {
    synchronize_block();
    return true;
  }
  for (unsigned warp = 0; warp < warps_.size(); ++warp)
    join_arrived(warp, state.waiting[warp], state);
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    if (state.waiting[warp] == 0) continue;
    unite(warp, state.waiting[warp], state.clock);
    for (Group* group : groups_of(warp, state.waiting[warp])) {
      for (const Scope scope : kScopes) {
        join(group->fenced[index(scope)], state.fenced[index(scope)]);
      }
    }
  }
  return false;
}

void BlockClocks::synchronize_block() {
  Group common;
  Interval begin = 0;
  for (const Warp& warp : warps_) begin = std::max(begin, warp.now + 1);
  for (unsigned warp = 0; warp < warps_.size() && !plain_; ++warp) {
    for (const Group& group : warps_[warp].groups) {
      join(common.others, group.others);
      for (const Scope scope : kScopes) {
        release(warp, group, group.lanes, scope, common.fenced[index(scope)]);
        join(common.observed[index(scope)], group.observed[index(scope)]);
      }
      join(common.relaxed, group.relaxed);
    }
  }
  common.others.erase(block_);  // `home` is newer
  common.home.reset(begin);
  for (Warp& warp : warps_) {
    warp.now = begin;
    if (plain_) {
      warp.groups.front().home.reset(begin);
    } else {
      warp.groups.assign(1, common);
    }
  }
  if (!plain_) {
    forget_arrivals();
    flags_.clear();
    fenced_ = !common.fenced[index(Scope::block)].empty();
    plain_ = !fenced_ && common.others.empty() &&
             std::all_of(common.observed.begin(), common.observed.end(),
                         [](const VectorClock& clock) { return clock.empty(); });
  }
}

void BlockClocks::acquire_observed(Group& group, Scope scope) const {
  for (const Scope within : kScopes) {
    if (within <= scope) acquire(group, group.observed[index(within)]);
  }
}

void BlockClocks::fence(unsigned warp, Mask lanes, const Semantics& fence) {
  plain_ = false;
  fenced_ = fenced_ || fence.releases;
  const Interval next = fence.releases ? ++warps_[warp].now : 0;
  for (Group* group : groups_of(warp, lanes)) {
    if (fence.acquires) acquire_observed(*group, fence.scope);
    if (!fence.releases) continue;
    for (const Scope within : kScopes) {
      if (within > fence.scope) continue;
      group->fenced[index(within)] = clock_of(*group);
      group->fenced_at[index(within)] = next;
    }
  }
}

/// The clock to which a release of this scope is joined.
VectorClock& BlockClocks::released_to(Flag& flag, Scope scope) const {
  return scope == Scope::block     ? flag.blocks[block_]
         : scope == Scope::cluster ? flag.clusters[cluster_]
                                   : flag.device;
}

/// The clocks that an acquire of each scope acquires, in addition to those of smaller scopes.
ScopedClocks BlockClocks::released_by(const Flag& flag) const {
  const auto of = [](const std::map<std::uint32_t, VectorClock>& clocks, std::uint32_t number) {
    const auto found = clocks.find(number);
    return found != clocks.end() ? found->second : VectorClock{};
  };
  return {of(flag.blocks, block_), of(flag.clusters, cluster_), flag.device};
}

/// A release by an access to the flag itself: it orders no accesses to other flags.
void BlockClocks::release_at(unsigned warp, Mask lanes, Flag& flag, Scope scope) {
  std::erase_if(flag.released, [&](Flag::Released& earlier) {
    if (earlier.warp == number_of(warp) && earlier.scope <= scope) earlier.lanes &= ~lanes;
    return earlier.lanes == 0;
  });
  const Interval next = ++warps_[warp].now;
  for (const Group& group : warps_[warp].groups) {
    const Mask own = group.lanes & lanes;
    if (own == 0) continue;
    flag.released.push_back({number_of(warp), own, scope, clock_of(group), next});
  }
}

/// A strong write after releases to the same flag.
void BlockClocks::release_again(unsigned warp, Mask lanes, Flag& flag) const {
  for (const Flag::Released& earlier : flag.released) {
    if (earlier.warp != number_of(warp) || (earlier.lanes & lanes) == 0) continue;
    for (const Scope scope : kScopes) {
      if (scope > earlier.scope) continue;
      VectorClock& clock = released_to(flag, scope);
      join(clock, earlier.clock);
      clock[block_].cover(warp, earlier.lanes & lanes, earlier.before);
    }
  }
}

void BlockClocks::store_flag(unsigned warp, Mask lanes, Flag& flag, const Semantics& access,
                             bool update) {
  if (access.releases) release_at(warp, lanes, flag, access.scope);
  if (!update) lanes = std::bit_floor(lanes);  // the last lane's store remains
  const ScopedPlace reach{block_, cluster_, access.scope};
  if (!update || !flag.last.includes(reach)) {
    flag.device.clear();
    flag.clusters.clear();
    flag.blocks.clear();
  }
  flag.last = reach;
  release_again(warp, lanes, flag);
  if (!fenced_) return;
  for (const Group& group : warps_[warp].groups) {
    if ((group.lanes & lanes) == 0) continue;
    for (const Scope scope : kScopes) {
      release(warp, group, lanes, scope, released_to(flag, scope));
    }
  }
}

/// An acquire after strong reads of the same flag.
void BlockClocks::acquire_again(unsigned warp, Mask lanes, const Flag& flag, Scope scope) {
  for (const Flag::Observed& earlier : flag.observed) {
    if (earlier.warp != number_of(warp)) continue;
    for (Group* group : groups_of(warp, earlier.lanes & lanes)) {
      for (const Scope within : kScopes) {
        if (within <= scope) acquire(*group, earlier.clocks[index(within)]);
      }
    }
  }
}

void BlockClocks::load_flag(unsigned warp, Mask lanes, Flag& flag, const Semantics& access,
                            bool update) {
  if (access.acquires && !flag.observed.empty()) {
    plain_ = false;
    acquire_again(warp, lanes, flag, access.scope);
  }
  if (!flag.last.includes({block_, cluster_, access.scope})) return;
  const ScopedClocks released = released_by(flag);
  const bool is_any = std::any_of(released.begin(), released.end(),
                                  [](const VectorClock& clock) { return !clock.empty(); });
  if (!is_any) return;
  plain_ = false;
  for (Group* group : groups_of(warp, lanes)) {
    for (const Scope scope : kScopes) {
      const VectorClock& clock = released[index(scope)];
      join(group->observed[index(scope)], clock);
      if (update) join(group->relaxed, clock);
      if (access.acquires && scope <= access.scope) acquire(*group, clock);
    }
  }
  if (access.acquires && access.scope == Scope::device) return;  // nothing is left to acquire
  for (Flag::Observed& earlier : flag.observed) {
    if (earlier.warp != number_of(warp) || earlier.lanes != lanes) continue;
    for (const Scope scope : kScopes) join(earlier.clocks[index(scope)], released[index(scope)]);
    return;
  }
  flag.observed.push_back({number_of(warp), lanes, released});
}

}  // namespace warpcheck::checks
