// Laws of vector clocks: the join is that of a lattice, and happens-before is a partial order.
#include "device/virtual/checks/vector_clock.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <ostream>
#include <vector>

#include "device/virtual/checks/block_clocks.hpp"

namespace warpcheck::checks {
namespace {

constexpr unsigned kWarps = 2;
constexpr unsigned kUsedLanes = 4;  // lanes of each warp that take part
constexpr std::uint32_t kBlocks = 2;
constexpr Interval kMostIntervals = 6;

/// One step in the construction of a clock: a bound for some lanes, or for a whole block.
struct Bound {
  std::uint32_t block = 0;
  bool whole_block = false;
  unsigned warp = 0;
  Mask lanes = 0;
  Interval before = 0;
};

std::ostream& operator<<(std::ostream& stream, const Bound& bound) {
  stream << "block " << bound.block;
  if (!bound.whole_block) stream << ", warp " << bound.warp << ", lanes " << bound.lanes;
  return stream << ": before " << bound.before;
}

using Bounds = std::vector<Bound>;

VectorClock clock_of(const Bounds& bounds) {
  VectorClock clock;
  for (const Bound& bound : bounds) {
    if (bound.whole_block) {
      clock[bound.block].reset(bound.before);
    } else {
      clock[bound.block].cover(bound.warp, bound.lanes, bound.before);
    }
  }
  return clock;
}

VectorClock joined(VectorClock one, const VectorClock& other) {
  join(one, other);
  return one;
}

bool covers(const VectorClock& clock, std::uint32_t block, unsigned warp, unsigned lane,
            Interval interval) {
  const auto found = clock.find(block);
  return found != clock.end() && found->second.covers(warp, lane, interval);
}

/// True if holds(in one, in other) is true for every thread and interval.
template <class Holds>
bool for_all(const VectorClock& one, const VectorClock& other, Holds holds) {
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    for (unsigned warp = 0; warp <= kWarps; ++warp) {
      for (unsigned lane = 0; lane <= kUsedLanes; ++lane) {
        for (Interval at = 0; at <= kMostIntervals; ++at) {
          if (!holds(covers(one, block, warp, lane, at), covers(other, block, warp, lane, at))) {
            return false;
          }
        }
      }
    }
  }
  return true;
}

bool equal(const VectorClock& one, const VectorClock& other) {
  return for_all(one, other, [](bool in_one, bool in_other) { return in_one == in_other; });
}

bool at_most(const VectorClock& one, const VectorClock& other) {
  return for_all(one, other, [](bool in_one, bool in_other) { return !in_one || in_other; });
}

}  // namespace
}  // namespace warpcheck::checks

namespace rc {

template <>
struct Arbitrary<warpcheck::checks::Bound> {
  static Gen<warpcheck::checks::Bound> arbitrary() {
    using warpcheck::checks::Bound;
    return gen::build<Bound>(
        gen::set(&Bound::block, gen::inRange(0U, warpcheck::checks::kBlocks)),
        gen::set(&Bound::whole_block),
        gen::set(&Bound::warp, gen::inRange(0U, warpcheck::checks::kWarps)),
        gen::set(&Bound::lanes, gen::inRange(0U, 1U << warpcheck::checks::kUsedLanes)),
        gen::set(&Bound::before, gen::inRange(0U, warpcheck::checks::kMostIntervals + 1)));
  }
};

}  // namespace rc

namespace warpcheck::checks {
namespace {

RC_GTEST_PROP(VectorClock, JoinIsCommutative, (const Bounds& a, const Bounds& b)) {
  RC_ASSERT(equal(joined(clock_of(a), clock_of(b)), joined(clock_of(b), clock_of(a))));
}

RC_GTEST_PROP(VectorClock, JoinIsAssociative, (const Bounds& a, const Bounds& b, const Bounds& c)) {
  const VectorClock left = joined(joined(clock_of(a), clock_of(b)), clock_of(c));
  const VectorClock right = joined(clock_of(a), joined(clock_of(b), clock_of(c)));
  RC_ASSERT(equal(left, right));
}

RC_GTEST_PROP(VectorClock, JoinIsIdempotent, (const Bounds& a)) {
  RC_ASSERT(equal(joined(clock_of(a), clock_of(a)), clock_of(a)));
}

RC_GTEST_PROP(VectorClock, TheEmptyClockIsNeutral, (const Bounds& a)) {
  RC_ASSERT(equal(joined(clock_of(a), {}), clock_of(a)));
  RC_ASSERT(equal(joined({}, clock_of(a)), clock_of(a)));
}

RC_GTEST_PROP(VectorClock, JoinIsTheLeastUpperBound,
              (const Bounds& a, const Bounds& b, const Bounds& more)) {
  const VectorClock join_of_both = joined(clock_of(a), clock_of(b));
  RC_ASSERT(at_most(clock_of(a), join_of_both));
  RC_ASSERT(at_most(clock_of(b), join_of_both));
  const VectorClock upper = joined(joined(clock_of(more), clock_of(a)), clock_of(b));
  RC_ASSERT(at_most(join_of_both, upper));
}

RC_GTEST_PROP(VectorClock, JoinIsMonotone,
              (const Bounds& a, const Bounds& more, const Bounds& other)) {
  const VectorClock larger = joined(clock_of(a), clock_of(more));
  RC_ASSERT(at_most(joined(clock_of(a), clock_of(other)), joined(larger, clock_of(other))));
}

/// An action of some lanes of a warp.
struct Action {
  enum class Kind : std::uint8_t {
    access,
    warp_barrier,
    block_barrier,
    release,
    acquire,
    fence,
    store_flag,
    load_flag,
  };
  Kind kind = Kind::access;
  unsigned warp = 0;
  Mask lanes = 1;
};
constexpr int kKinds = 8;

std::ostream& operator<<(std::ostream& stream, const Action& action) {
  constexpr std::array<const char*, kKinds> kNames = {"access",     "warp barrier", "block barrier",
                                                      "release",    "acquire",      "fence",
                                                      "store flag", "load flag"};
  return stream << kNames.at(static_cast<std::size_t>(action.kind)) << " by warp " << action.warp
                << ", lanes " << action.lanes;
}

/// An access of one thread, with the bounds of the thread's clock at that time.
struct Access {
  unsigned warp = 0;
  unsigned lane = 0;
  Interval interval = 0;
  std::array<std::array<Interval, kUsedLanes>, kWarps> bounds{};
};

/// Executes actions of one block.
class Execution {
 public:
  explicit Execution(const std::vector<Action>& actions) : clocks_(kWarps * kLanes) {
    clocks_.start(0);
    for (const Action& action : actions) execute(action);
  }

  [[nodiscard]] const std::vector<Access>& accesses() const { return accesses_; }

 private:
  void execute(const Action& action) {
    const Semantics strong{Scope::block, false, false};
    switch (action.kind) {
      case Action::Kind::access:
        for (unsigned lane = 0; lane < kUsedLanes; ++lane) {
          if ((action.lanes >> lane & 1) != 0) add_access(action.warp, lane);
        }
        break;
      case Action::Kind::warp_barrier:
        clocks_.warp_barrier(action.warp, action.lanes);
        break;
      case Action::Kind::block_barrier:
        for (unsigned warp = 0; warp < kWarps; ++warp) {
          clocks_.arrive(0, warp, machine::kAllLanes, true);
        }
        RC_ASSERT(clocks_.complete(0));
        break;
      case Action::Kind::release:
        clocks_.release(action.warp, action.lanes, object_);
        break;
      case Action::Kind::acquire:
        clocks_.acquire(action.warp, action.lanes, object_);
        break;
      case Action::Kind::fence:
        clocks_.fence(action.warp, action.lanes, {Scope::block, true, true});
        break;
      case Action::Kind::store_flag:
        clocks_.store_flag(action.warp, action.lanes, flag_, strong, false);
        break;
      case Action::Kind::load_flag:
        clocks_.load_flag(action.warp, action.lanes, flag_, strong);
        break;
    }
  }

  void add_access(unsigned warp, unsigned lane) {
    Access access{warp, lane, clocks_.now(warp), {}};
    for (unsigned later_warp = 0; later_warp < kWarps; ++later_warp) {
      for (unsigned later_lane = 0; later_lane < kUsedLanes; ++later_lane) {
        Interval& bound = access.bounds[later_warp][later_lane];
        while (clocks_.ordered(0, later_warp, later_lane, bound, warp, lane)) ++bound;
      }
    }
    accesses_.push_back(access);
  }

  BlockClocks clocks_;
  VectorClock object_;
  Flag flag_;
  std::vector<Access> accesses_;
};

/// The order of accesses of different threads by their clocks.
bool clock_order(const Access& first, const Access& second) {
  return first.interval < second.bounds[first.warp][first.lane];
}

bool same_thread(const Access& first, const Access& second) {
  return first.warp == second.warp && first.lane == second.lane;
}

bool happens_before(const std::vector<Access>& accesses, std::size_t first, std::size_t second) {
  if (same_thread(accesses[first], accesses[second])) return first < second;
  return clock_order(accesses[first], accesses[second]);
}

}  // namespace
}  // namespace warpcheck::checks

namespace rc {

template <>
struct Arbitrary<warpcheck::checks::Action> {
  static Gen<warpcheck::checks::Action> arbitrary() {
    using warpcheck::checks::Action;
    return gen::build<Action>(
        gen::set(&Action::kind, gen::map(gen::inRange(0, warpcheck::checks::kKinds),
                                         [](int kind) { return static_cast<Action::Kind>(kind); })),
        gen::set(&Action::warp, gen::inRange(0U, warpcheck::checks::kWarps)),
        gen::set(&Action::lanes, gen::inRange(1U, 1U << warpcheck::checks::kUsedLanes)));
  }
};

}  // namespace rc

namespace warpcheck::checks {
namespace {

RC_GTEST_PROP(HappensBefore, FollowsTheOrderOfExecution, (const std::vector<Action>& actions)) {
  const std::vector<Access> accesses = Execution(actions).accesses();
  for (std::size_t first = 0; first < accesses.size(); ++first) {
    RC_ASSERT(!clock_order(accesses[first], accesses[first]));
    for (std::size_t second = first + 1; second < accesses.size(); ++second) {
      RC_ASSERT(!happens_before(accesses, second, first));
    }
  }
}

RC_GTEST_PROP(HappensBefore, IsTransitive, (const std::vector<Action>& actions)) {
  const std::vector<Access> accesses = Execution(actions).accesses();
  for (std::size_t b = 0; b < accesses.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (!happens_before(accesses, a, b)) continue;
      for (std::size_t c = b + 1; c < accesses.size(); ++c) {
        if (happens_before(accesses, b, c)) RC_ASSERT(happens_before(accesses, a, c));
      }
    }
  }
}

RC_GTEST_PROP(HappensBefore, OrdersAllAccessesAcrossABlockBarrier,
              (std::vector<Action> actions, const std::vector<Action>& later)) {
  actions.push_back({Action::Kind::block_barrier, 0, 1});
  const std::size_t before = Execution(actions).accesses().size();
  actions.insert(actions.end(), later.begin(), later.end());
  const std::vector<Access> accesses = Execution(actions).accesses();
  for (std::size_t first = 0; first < before; ++first) {
    for (std::size_t second = before; second < accesses.size(); ++second) {
      RC_ASSERT(happens_before(accesses, first, second));
    }
  }
}

// A thread of block 0 launches a grid with block 2; block 1 has ended.
TEST(HappensBefore, OrdersAGridAfterItsLaunchAndEndedBlocks) {
  BlockClocks parent(2 * kLanes);
  parent.start(0);
  const Interval before = parent.now(0);
  GridClock launch;
  launch.ended = {{1, 2}};
  parent.release(0, 1, launch.at_launch);
  BlockClocks child(2 * kLanes);
  child.start(2, &launch);
  EXPECT_TRUE(child.ordered(0, 0, 0, before, 1, 5));
  EXPECT_FALSE(child.ordered(0, 0, 0, parent.now(0), 1, 5));  // the access follows the launch
  EXPECT_FALSE(child.ordered(0, 0, 1, before, 1, 5));         // another thread
  EXPECT_TRUE(child.ordered(1, 1, 31, 1000, 0, 0));
  EXPECT_EQ(child.ordered_lanes(1, 0, 7, 1000, 0, 0), 7U);
  child.arrive(0, 0, machine::kAllLanes, true);
  child.arrive(0, 1, machine::kAllLanes, true);
  ASSERT_TRUE(child.complete(0));
  EXPECT_TRUE(child.ordered(0, 0, 0, before, 0, 3));  // barriers keep the order
}

TEST(HappensBefore, DoesNotOrderAccessesWithoutSynchronisation) {
  const std::vector<Access> accesses =
      Execution({{Action::Kind::access, 0, 1}, {Action::Kind::access, 1, 1}}).accesses();
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_FALSE(happens_before(accesses, 0, 1));
}

}  // namespace
}  // namespace warpcheck::checks
