// The shadow of the race detector: its size, and the accesses that it keeps.
#include "device/virtual/checks/shadow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace warpcheck::checks {
namespace {

constexpr std::size_t kUnits = std::size_t{1} << 20;
constexpr unsigned kThreads = 256;

/// The threads of a block and their accesses to a shadow.
class Threads {
 public:
  Threads(Shadow& shadow, std::uint32_t block) : shadow_(shadow), clocks_(kThreads) {
    clocks_.start(block);
  }

  BlockClocks& clocks() { return clocks_; }

  void access(std::size_t unit, unsigned warp, unsigned lane, bool write, std::uint32_t op) {
    const Event event{
        clocks_.block(), clocks_.now(warp), op, static_cast<std::uint8_t>(warp), write, false, {}};
    shadow_.access(unit, shadow_.note(event), lane, {}, clocks_, conflicts);
  }

  /// Accesses every unit once, each by one lane, in order: as a kernel stores a matrix.
  void access_all(bool write, std::uint32_t op) {
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      access(unit, unit / kLanes % (kThreads / kLanes), unit % kLanes, write, op);
    }
  }

  std::vector<Conflict> conflicts;

 private:
  Shadow& shadow_;
  BlockClocks clocks_;
};

// The limit is 4 bytes of shadow per byte, including the byte of definedness.
constexpr std::size_t kAllowed = 3 * 4 * kUnits;  // three words for each unit of 4 bytes

TEST(Shadow, TakesAboutOneWordPerUnitThatIsWrittenOnce) {
  Shadow shadow(kUnits);
  Threads threads(shadow, 0);
  threads.access_all(true, 1);
  EXPECT_TRUE(threads.conflicts.empty());
  EXPECT_GE(shadow.footprint(), 4 * kUnits);
  EXPECT_LE(shadow.footprint(), 5 * kUnits);
}

TEST(Shadow, TakesNoMoreForUpdatesByTheSameThread) {
  Shadow shadow(kUnits);
  Threads threads(shadow, 0);
  threads.access_all(false, 1);
  threads.access_all(true, 2);
  EXPECT_TRUE(threads.conflicts.empty());
  EXPECT_LE(shadow.footprint(), 5 * kUnits);
}

TEST(Shadow, StaysWithinItsLimitForReadsByAnotherBlock) {
  Shadow shadow(kUnits);
  Threads writer(shadow, 0);
  writer.access_all(true, 1);
  VectorClock clock;
  for (unsigned warp = 0; warp < kThreads / kLanes; ++warp) {
    writer.clocks().release(warp, machine::kAllLanes, clock);
  }
  Threads reader(shadow, 1);
  for (unsigned warp = 0; warp < kThreads / kLanes; ++warp) {
    reader.clocks().acquire(warp, machine::kAllLanes, clock);
  }
  reader.access_all(false, 2);
  EXPECT_TRUE(reader.conflicts.empty());
  EXPECT_LE(shadow.footprint(), kAllowed);
}

TEST(Shadow, TakesAlmostNothingForUntouchedMemory) {
  const Shadow shadow(kUnits);
  EXPECT_LE(shadow.footprint(), kUnits / 64);
}

TEST(Shadow, KeepsAWriteAcrossMillionsOfOthers) {
  Shadow shadow(64);
  Threads threads(shadow, 0);
  threads.access(0, 0, 5, true, 7);
  VectorClock nobody;
  // Each release starts an interval, so that each write is an event of its own.
  for (int i = 0; i < 3'000'000; ++i) {
    threads.clocks().release(1, machine::kAllLanes, nobody);
    threads.access(1, 1, 0, true, 8);
  }
  EXPECT_TRUE(threads.conflicts.empty());
  EXPECT_LE(shadow.footprint(), std::size_t{64} << 20);
  threads.access(0, 2, 0, false, 9);
  ASSERT_EQ(threads.conflicts.size(), 1U);
  EXPECT_EQ(threads.conflicts[0].first.op, 7U);
  EXPECT_EQ(threads.conflicts[0].first_lane, 5U);
  EXPECT_EQ(threads.conflicts[0].second.op, 9U);
}

TEST(Shadow, KeepsEveryReaderForALaterWriter) {
  Shadow shadow(64);
  Threads threads(shadow, 0);
  for (unsigned warp = 0; warp < 4; ++warp) {
    for (unsigned lane = 0; lane < kLanes; ++lane) threads.access(3, warp, lane, false, 1);
  }
  VectorClock clock;  // clock that covers all readers but lane 17 of warp 2
  for (unsigned warp = 0; warp < 4; ++warp) {
    const Mask lanes = warp == 2 ? ~(Mask{1} << 17) : machine::kAllLanes;
    threads.clocks().release(warp, lanes, clock);
  }
  threads.clocks().acquire(5, 1, clock);
  threads.access(3, 5, 0, true, 2);
  ASSERT_EQ(threads.conflicts.size(), 1U);
  EXPECT_EQ(threads.conflicts[0].first.warp, 2U);
  EXPECT_EQ(threads.conflicts[0].first_lane, 17U);
}

/// Bytes for the accesses to one unit that all lanes of the warps of `blocks` blocks read.
std::size_t bytes_for_readers(std::uint32_t blocks, Mask lanes) {
  Shadow shadow(64);
  Shadow events(64);  // the same events, without their accesses
  std::vector<Conflict> conflicts;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    BlockClocks clocks(kThreads);
    clocks.start(block);
    for (unsigned warp = 0; warp < kThreads / kLanes; ++warp) {
      const Event read{block, clocks.now(warp), 1, static_cast<std::uint8_t>(warp), false, false,
                       {}};
      static_cast<void>(events.note(read));
      shadow.access_together(3, shadow.note(read), lanes, 0, false, clocks, conflicts);
    }
  }
  EXPECT_TRUE(conflicts.empty());
  return shadow.footprint() - events.footprint();
}

// An access to a unit is compared with all that its shadow keeps, so that this bounds its work.
TEST(Shadow, KeepsAsMuchOfAHotUnitForAnyNumberOfReaders) {
  const std::size_t many_readers = bytes_for_readers(64, machine::kAllLanes);
  EXPECT_EQ(bytes_for_readers(16'384, machine::kAllLanes), many_readers);
  EXPECT_EQ(bytes_for_readers(64, 0b11), many_readers);  // the lanes of a warp count as one access
  EXPECT_LT(bytes_for_readers(1, machine::kAllLanes),
            many_readers);  // it depends on readers at all
}

TEST(Shadow, KeepsAccessesInFinerUnits) {
  Shadow words(64);
  Threads threads(words, 0);
  threads.access(1, 0, 0, true, 1);
  Shadow bytes = words.finer(4);
  Threads others(bytes, 1);
  for (std::size_t unit = 0; unit < 12; ++unit) others.access(unit, 0, 0, false, 2);
  ASSERT_EQ(others.conflicts.size(), 4U);
  EXPECT_EQ(others.conflicts.front().unit, 4U);
  EXPECT_EQ(others.conflicts.back().unit, 7U);
}

/// Lane `lane` of warp 0 of a block updates unit 0 with an atomic and uses the result.
void update(Shadow& shadow, const BlockClocks& clocks, unsigned lane, Scope scope,
            std::vector<Conflict>& conflicts) {
  Event event{clocks.block(), clocks.now(0), 1, 0, true, true, scope};
  event.update = event.observes = true;
  shadow.access(0, shadow.note(event), lane, {}, clocks, conflicts);
}

TEST(Shadow, AtomicOfABlockRacesWithReplacedOneOfAnother) {
  Shadow shadow(1);
  Threads first(shadow, 0);
  Threads second(shadow, 1);
  std::vector<Conflict> conflicts;
  update(shadow, first.clocks(), 0, Scope::device, conflicts);
  update(shadow, second.clocks(), 0, Scope::device, conflicts);
  EXPECT_TRUE(conflicts.empty());
  update(shadow, second.clocks(), 1, Scope::block, conflicts);
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].first.block, 0U);
}

TEST(Shadow, AtomicOfABlockFollowsItsThreadsObservation) {
  Shadow shadow(1);
  Threads first(shadow, 0);
  Threads second(shadow, 1);
  std::vector<Conflict> conflicts;
  update(shadow, first.clocks(), 0, Scope::device, conflicts);
  update(shadow, second.clocks(), 0, Scope::device, conflicts);
  update(shadow, second.clocks(), 0, Scope::block, conflicts);
  EXPECT_TRUE(conflicts.empty());
}

/// Lanes of warp 0 of a block read or write unit 0 by strong accesses of the device.
void access_strongly(Shadow& shadow, const BlockClocks& clocks, Mask lanes, bool write,
                     std::uint32_t op, std::vector<Conflict>& conflicts) {
  const Event event{clocks.block(), clocks.now(0), op, 0, write, true, Scope::device};
  shadow.access_together(0, shadow.note(event), lanes, 0, false, clocks, conflicts);
}

// PTX ISA 8.9.5, rule 2: a thread that observes a write follows the write, but not what the writing
// thread did before without a release.
TEST(Shadow, ObservedAtomicDoesNotOrderTheReadBeforeIt) {
  for (const bool reads_before : {false, true}) {
    Shadow shadow(1);
    Threads first(shadow, 0);
    Threads second(shadow, 1);
    std::vector<Conflict> conflicts;
    if (reads_before) access_strongly(shadow, first.clocks(), 1, false, 7, conflicts);
    update(shadow, first.clocks(), 0, Scope::device, conflicts);
    update(shadow, second.clocks(), 0, Scope::device, conflicts);
    second.access(0, 0, 0, true, 8);  // weak
    EXPECT_TRUE(conflicts.empty());
    ASSERT_EQ(second.conflicts.size(), reads_before ? 1U : 0U);
    for (const Conflict& race : second.conflicts) EXPECT_EQ(race.first.op, 7U);
  }
}

// A strong read observes one of several stores of an instruction, the last one.
TEST(Shadow, ObservedStoreDoesNotOrderThoseOfOtherLanes) {
  for (const Mask lanes : {Mask{2}, Mask{3}}) {
    Shadow shadow(1);
    Threads first(shadow, 0);
    Threads second(shadow, 1);
    std::vector<Conflict> conflicts;
    access_strongly(shadow, first.clocks(), lanes, true, 7, conflicts);
    access_strongly(shadow, second.clocks(), 1, false, 8, conflicts);
    second.access(0, 0, 0, true, 9);  // weak
    EXPECT_TRUE(conflicts.empty());
    ASSERT_EQ(second.conflicts.size(), lanes == 3 ? 1U : 0U);
    for (const Conflict& race : second.conflicts) EXPECT_EQ(race.first_lane, 0U);
  }
}

// Two lanes that observed a store themselves do not race with it; a third lane of their instruction
// does. The same for two lanes that wrote the value that a third one reads.
TEST(Shadow, LanesAreComparedByTheirOwnAccesses) {
  Shadow shadow(1);
  Threads first(shadow, 0);
  Threads second(shadow, 1);
  std::vector<Conflict> conflicts;
  access_strongly(shadow, first.clocks(), 1, true, 7, conflicts);
  access_strongly(shadow, second.clocks(), 3, false, 8, conflicts);
  const Event update{1, second.clocks().now(0), 9, 0, true, true, Scope::block, true};
  shadow.access_together(0, shadow.note(update), 7, 0, false, second.clocks(), conflicts);
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].second_lane, 2U);

  Shadow other(1);
  Threads threads(other, 0);
  std::vector<Conflict> found;
  for (const unsigned lane : {0U, 1U}) {
    const Event store{0, threads.clocks().now(0), 1 + lane, 0, true};
    other.access(0, other.note(store), lane, {.rewrites = true}, threads.clocks(), found);
  }
  const std::size_t benign = found.size();
  const Event load{0, threads.clocks().now(0), 3, 0};
  other.access_together(0, other.note(load), 7, 0, false, threads.clocks(), found);
  ASSERT_EQ(found.size(), benign + 1);
  EXPECT_EQ(found.back().second_lane, 2U);
}

// A thread that repeats a store keeps one entry; so do stores that nobody observed.
TEST(Shadow, TakesNoMoreForRepeatedStrongStores) {
  Shadow shadow(1);
  Threads threads(shadow, 0);
  Threads reader(shadow, 1);
  std::vector<Conflict> conflicts;
  access_strongly(shadow, reader.clocks(), 1, false, 3, conflicts);
  VectorClock nobody;
  for (int i = 0; i < 200; ++i) {
    threads.clocks().release(0, 1, nobody);
    access_strongly(shadow, threads.clocks(), 1, true, 5, conflicts);
  }
  threads.access(0, 0, 0, true, 6);         // weak, by the thread of the stores
  ASSERT_EQ(threads.conflicts.size(), 1U);  // the read of the other block is still there
  EXPECT_EQ(threads.conflicts[0].first.op, 3U);
}

TEST(Shadow, RemovesSettledAccesses) {
  Shadow shadow(64);
  Threads threads(shadow, 0);
  threads.access(0, 0, 0, true, 1);
  shadow.settle();
  threads.access(0, 1, 0, true, 2);
  EXPECT_TRUE(threads.conflicts.empty());
}

/// Random accesses by whole warps of three blocks to a few words, with random synchronisation.
class RandomHistory {
 public:
  explicit RandomHistory(unsigned seed) : random_(seed) {
    for (std::uint32_t block = 0; block < kBlocks; ++block) clocks_[block].start(block);
  }

  /// The next access: `enter(unit, event, lanes, rewrites, clocks)`.
  template <typename Enter>
  void next(Enter enter) {
    BlockClocks& clocks = clocks_[below(kBlocks)];
    const unsigned warp = below(kWarps);
    const Mask lanes = below(3) == 0 ? machine::kAllLanes : static_cast<Mask>(random_() | 1);
    synchronize(clocks, warp, lanes);
    const unsigned kind = below(6);
    Event event{clocks.block(), clocks.now(warp), below(4), static_cast<std::uint8_t>(warp)};
    event.write = kind == 1 || kind >= 3;
    event.strong = kind >= 2;
    event.scope = event.strong && below(4) == 0 ? Scope::block : Scope::device;
    event.update = kind >= 4;
    event.observes = kind == 5;
    const Mask rewrites = below(2) == 0 ? static_cast<Mask>(random_()) : 0;
    enter(below(2), event, lanes, event.write ? rewrites : 0, clocks);
  }

 private:
  static constexpr unsigned kBlocks = 3;
  static constexpr unsigned kWarps = 30;  // 3 blocks have more than a history remembers

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  void synchronize(BlockClocks& clocks, unsigned warp, Mask lanes) {
    const unsigned kind = below(40);
    if (kind == 0) clocks.release(warp, lanes, released_);
    if (kind == 1) clocks.acquire(warp, lanes, released_);
    if (kind == 2) clocks.warp_barrier(warp, lanes);
  }

  std::mt19937 random_;
  std::array<BlockClocks, kBlocks> clocks_{
      BlockClocks(kWarps * kLanes), BlockClocks(kWarps* kLanes), BlockClocks(kWarps* kLanes)};
  VectorClock released_;
};

bool equal(const Conflict& a, const Conflict& b) {
  return a.first == b.first && a.first_lane == b.first_lane && a.second == b.second &&
         a.second_lane == b.second_lane && a.unit == b.unit && a.grade == b.grade;
}

TEST(Shadow, LanesEnteredTogetherRaceAsOneByOne) {
  std::size_t races = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomHistory history(seed);
    Shadow one(4);
    Shadow all(4);
    for (int step = 0; step < 400; ++step) {
      std::vector<Conflict> expected;
      std::vector<Conflict> found;
      history.next([&](std::size_t unit, const Event& event, Mask lanes, Mask rewrites,
                       const BlockClocks& clocks) {
        const EventId id = one.note(event);
        for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
          const unsigned lane = machine::lowest(rest);
          one.access(unit, id, lane, {(rewrites >> lane & 1) != 0, false}, clocks, expected);
        }
        all.access_together(unit, all.note(event), lanes, rewrites, false, clocks, found);
      });
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end(), equal))
          << "seed " << seed << ", step " << step;
      races += expected.size();
    }
  }
  EXPECT_GT(races, 1000U);
}

TEST(Shadow, RacesAfterResetAsANewOne) {
  Shadow reused(4);
  std::size_t races = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    RandomHistory history(seed);
    Shadow fresh(4);
    reused.reset();
    for (int step = 0; step < 200; ++step) {
      std::vector<Conflict> expected;
      std::vector<Conflict> found;
      history.next(
          [&](std::size_t unit, Event event, Mask lanes, Mask rewrites, const BlockClocks& clocks) {
            event.is_volatile = event.strong && !event.update;
            for (const auto& [shadow, conflicts] :
                 {std::pair{&fresh, &expected}, std::pair{&reused, &found}}) {
              const EventId id = shadow->note(event);
              shadow->access_together(unit, id, lanes, rewrites, false, clocks, *conflicts);
              shadow->silence_volatile(*conflicts, 0);
            }
          });
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end(), equal))
          << "seed " << seed << ", step " << step;
      races += expected.size();
    }
  }
  EXPECT_GT(races, 1000U);
}

TEST(BlockClocks, OrderedLanesAreThoseThatAreOrdered) {
  RandomHistory history(7);
  std::mt19937 random(8);
  std::size_t ordered = 0;
  for (int step = 0; step < 8000; ++step) {
    history.next([&](std::size_t, const Event& event, Mask lanes, Mask, const BlockClocks& clocks) {
      const auto block = static_cast<std::uint32_t>(random() % 3);
      const auto warp = static_cast<unsigned>(random() % 30);
      const auto interval = static_cast<Interval>(1 + random() % 3);
      const auto later_lane = static_cast<unsigned>(random() % kLanes);
      const Mask found = clocks.ordered_lanes(block, warp, lanes, interval, event.warp, later_lane);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const bool expected = (lanes >> lane & 1) != 0 &&
                              clocks.ordered(block, warp, lane, interval, event.warp, later_lane);
        ASSERT_EQ((found >> lane & 1) != 0, expected) << "step " << step << ", lane " << lane;
        ordered += expected ? 1 : 0;
      }
    });
  }
  EXPECT_GT(ordered, 1000U);
}

}  // namespace
}  // namespace warpcheck::checks
