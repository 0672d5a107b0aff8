// The fast path of the shadow for loads and stores of a volatile variable that one thread accesses.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "device/virtual/checks/shadow.hpp"

namespace warpcheck::checks {
namespace {

constexpr unsigned kBlockThreads = 2 * kLanes;
constexpr std::uint32_t kEnded = 9;  // a block that has ended before all others begin

/// A shadow of one unit. With `slowly`, a thread of a block that has ended has read the unit. This
/// thread races with no other, but no other thread is the only one.
struct OneUnit {
  explicit OneUnit(bool slowly) : shadow(1) {
    if (!slowly) return;
    BlockClocks ended(kBlockThreads);
    ended.start(kEnded);
    const Event event{kEnded, ended.now(0), 100, 0, false, true};
    shadow.access(0, shadow.note(event), 0, {}, ended, conflicts);
  }

  void access(const Event& event, unsigned lane, const BlockClocks& clocks) {
    const EventId id = shadow.note(event);
    shadow.access(0, id, lane, {}, clocks, conflicts);
    shadow.silence_volatile(conflicts, 0);
  }

  Shadow shadow;
  std::vector<Conflict> conflicts;  // conflicts that the last access added
};

/// Random accesses by one thread, and now and then by another one.
class Accesses {
 public:
  explicit Accesses(unsigned seed) : random_(seed), device_(below(4) != 0) {
    before_.ended = {{kEnded, kEnded + 1}};
    for (std::uint32_t block = 0; block < clocks_.size(); ++block) {
      clocks_[block].start(block, &before_);
    }
  }

  template <typename Enter>
  void next(Enter enter) {
    const bool other = below(12) == 0;
    const std::uint32_t block = other ? below(2) : 0;
    const unsigned lane = other ? below(2) : 0;
    BlockClocks& clocks = clocks_[block];
    synchronize(clocks);
    Event event{block, clocks.now(0), block};
    event.strong = below(other ? 2 : 30) != 0;
    // Loads and stores take turns, with some exceptions.
    const bool turn = below(8) != 0;
    if (!other && turn) write_ = !write_;
    event.write = other ? below(2) == 0 : write_;
    event.op += 2 * below(3) + (event.write ? 20 : 10);
    event.update = event.strong && event.write && below(20) == 0;
    event.observes = event.update && below(2) == 0;
    event.is_volatile = event.strong && !event.update && below(3) == 0;
    event.scope = event.strong && (!device_ || below(20) == 0) ? Scope::block : Scope::device;
    enter(event, lane, clocks);
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  void synchronize(BlockClocks& clocks) {
    const unsigned kind = below(10);
    if (kind == 0) clocks.release(0, 1, released_);
    if (kind == 1) clocks.acquire(0, 2, released_);
    if (kind == 2) clocks.warp_barrier(0, 3);
  }

  std::mt19937 random_;
  bool device_;  // the scope of most accesses
  bool write_ = false;
  GridClock before_;
  std::array<BlockClocks, 2> clocks_{BlockClocks(kBlockThreads), BlockClocks(kBlockThreads)};
  VectorClock released_;
};

/// The pairs of ops that conflict, whatever their number and order.
std::set<std::array<std::uint32_t, 3>> pairs_of(const std::vector<Conflict>& conflicts) {
  std::set<std::array<std::uint32_t, 3>> pairs;
  for (const Conflict& each : conflicts) {
    pairs.insert({each.first.op, each.second.op, static_cast<std::uint32_t>(each.grade)});
  }
  return pairs;
}

TEST(Shadow, OnlyThreadIsFastAndRacesAsSlowly) {
  std::size_t races = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Accesses accesses(seed);
    OneUnit fast(false);
    OneUnit slow(true);
    for (int step = 0; step < 30; ++step) {
      accesses.next([&](const Event& event, unsigned lane, const BlockClocks& clocks) {
        fast.conflicts.clear();
        slow.conflicts.clear();
        fast.access(event, lane, clocks);
        slow.access(event, lane, clocks);
      });
      ASSERT_EQ(pairs_of(fast.conflicts), pairs_of(slow.conflicts))
          << "seed " << seed << ", step " << step;
      races += fast.conflicts.size();
    }
  }
  EXPECT_GT(races, 1000U);
}

}  // namespace
}  // namespace warpcheck::checks
