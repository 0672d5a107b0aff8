// Random programs of several blocks: a byte of memory races for the detector if, and only if, it
// does for a model that keeps each access of each thread and follows the definitions of the PTX
// ISA.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/device/virtual/checks/race_program.hpp"

namespace warpcheck::checks {
namespace {

std::string text_of(const RaceProgram& program) {
  std::ostringstream text;
  for (const RaceStep& step : program) text << "\n  " << step;
  return text.str();
}

/// On average, a program has more than `least` bytes that race, and that do not.
void expect_agreement(unsigned programs, unsigned steps, const RaceKinds& kinds,
                      unsigned least = 4) {
  std::size_t racing = 0;
  std::size_t clean = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const RaceProgram program = random_program(seed, steps, kinds);
    const RaceResult result = run(program);
    ASSERT_FALSE(result.disagreement)
        << "seed " << seed << ", the smallest program that disagrees:" << text_of(shrink(program));
    racing += result.racing;
    clean += result.clean;
  }
  EXPECT_GT(racing, least * programs);
  EXPECT_GT(clean, least * programs);
}

TEST(Races, DetectorAgreesWithTheModelOnAccessesAndBarriers) {
  expect_agreement(80, 60, {.flags = false});
}

TEST(Races, DetectorAgreesWithTheModelOnFencesReleasesAndAcquires) { expect_agreement(80, 60, {}); }

TEST(Races, DetectorAgreesWithTheModelOnMessages) { expect_agreement(500, 8, {.messages = true}); }

TEST(Races, DetectorAgreesWithTheModelOnPolls) { expect_agreement(2000, 1, {.polls = true}, 1); }

RaceStep strong_access(unsigned block, std::uint32_t op, bool write) {
  RaceStep step;
  step.block = block;
  step.op = op;
  step.strong = step.is_volatile = true;
  step.write = write;
  return step;
}

// A loop stores a volatile variable twice. Another thread reads the second value. By that it
// follows the second store, but not the first one (PTX ISA 8.9.5, rule 2), so that its weak read
// races.
TEST(Races, WeakReadRacesWithTheStoreBeforeTheOneObserved) {
  RaceStep weak_read;
  weak_read.block = 1;
  weak_read.op = 3;
  for (const unsigned stores : {1U, 2U}) {
    RaceProgram program(stores, strong_access(0, 1, true));
    program.push_back(strong_access(1, 2, false));
    program.push_back(weak_read);
    const RaceResult result = run(program);
    EXPECT_FALSE(result.disagreement);
    EXPECT_EQ(result.racing, stores == 2 ? 4U : 0U);  // bytes
  }
}

// A thread stores three times. Another thread observes the second and the third store, but not the
// first one, which a thread of the same lane in another warp, or of another lane, observes.
TEST(Races, WeakReadRacesWithAStoreThatOnlyOthersObserved) {
  const RaceStep store = strong_access(0, 1, true);
  const RaceStep load = strong_access(1, 2, false);
  RaceStep weak_read;
  weak_read.block = 1;
  weak_read.op = 3;
  RaceStep other_warp = load;
  other_warp.warp = 1;
  RaceStep other_lane = load;
  other_lane.lanes = 2;
  for (const RaceStep& first : {other_warp, other_lane, load}) {
    const RaceResult result = run({store, first, store, load, store, load, weak_read});
    EXPECT_FALSE(result.disagreement);
    EXPECT_EQ(result.racing, first.warp == load.warp && first.lanes == load.lanes ? 0U : 4U);
  }
}

// A thread stores and releases. Of two lanes that look at the bytes, one has acquired.
TEST(Races, LaneThatHasNotAcquiredRacesBesideOneThatHas) {
  RaceStep store;
  store.write = true;
  RaceStep release;
  release.kind = RaceStep::Kind::release;
  RaceStep acquire;
  acquire.kind = RaceStep::Kind::acquire;
  RaceStep look;
  look.op = 2;
  look.looks = true;
  look.lanes = 3;
  acquire.block = look.block = 1;
  for (const Mask acquiring : {Mask{1}, Mask{3}}) {
    acquire.lanes = acquiring;
    const RaceResult result = run({store, release, acquire, look});
    EXPECT_FALSE(result.disagreement);
    EXPECT_EQ(result.racing, acquiring == look.lanes ? 0U : 4U);  // bytes
  }
}

}  // namespace
}  // namespace warpcheck::checks
