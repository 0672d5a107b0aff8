// The shadow of the race detector: its size, and the accesses that it keeps.
#include "device/virtual/checks/shadow.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
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
constexpr std::size_t kAllowed = 3 * 4 * kUnits;  // for units of 4 bytes

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
  VectorClock clock;  // of all readers but lane 17 of warp 2
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

TEST(Shadow, RemovesSettledAccesses) {
  Shadow shadow(64);
  Threads threads(shadow, 0);
  threads.access(0, 0, 0, true, 1);
  shadow.settle();
  threads.access(0, 1, 0, true, 2);
  EXPECT_TRUE(threads.conflicts.empty());
}

}  // namespace
}  // namespace warpcheck::checks
