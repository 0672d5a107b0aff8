// Grades and messages of races: which are notes, which defect is reported once, and what the
// message states as missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "report/finding/message.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kSeeds = 10;
constexpr std::uint64_t kPollingSeeds = 3;  // a turn of a polling warp is long
constexpr const char* kCell = ".shared .b32 cell; .shared .b32 flag;";
/// Sets the variables of kCell to 0 and synchronises the block.
const std::string kStart =
    "mov.u32 %r9, 0; setp.ne.u32 %p9, %me, 0; @%p9 bra started;\n st.shared.u32 [cell], %r9; "
    "st.shared.u32 [flag], %r9;\n started: bar.sync 0;\n";

std::vector<Finding> findings(const std::string& body, std::uint64_t seed, unsigned threads,
                              const char* declarations = kCell, unsigned blocks = 1) {
  Conditions conditions{.grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
  conditions.seed = seed;
  return run(body, {}, conditions, declarations).outcome.findings;
}

/// The findings of a seed: "race same-value", separated by commas.
std::string grades(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    if (!text.empty()) text += ", ";
    text += std::string(name(finding.kind)) + " " + std::string(name(finding.grade));
  }
  return text;
}

/// Threads 0 and 32 store 7 to `cell`, and thread 64 reads it.
const std::string kTwoWritersOneReader =
    kStart +
    "rem.u32 %r5, %me, 32; setp.ne.u32 %p1, %r5, 0; @%p1 bra done;\n mov.u32 %r2, 7;"
    "setp.lt.u32 %p2, %me, 64; @!%p2 bra read;\n st.shared.u32 [cell], %r2; bra done;\n"
    "read: ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1;\n done:";

TEST(RaceGrade, ThirdReaderOfTheSameValueIsOneFailure) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    EXPECT_EQ(grades(findings(kTwoWritersOneReader, seed, 96)), "race failure") << seed;
  }
  // The writers alone.
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    EXPECT_EQ(grades(findings(kTwoWritersOneReader, seed, 64)), "race same-value") << seed;
  }
}

/// The same, but lane 1 of warp 1 reads: after the write of its warp, and not after the other.
TEST(RaceGrade, ReaderAfterOneOfTwoWritersIsAFailure) {
  const std::string body =
      kStart +
      "rem.u32 %r5, %me, 32; setp.ne.u32 %p1, %r5, 0; @%p1 bra written;\n mov.u32 %r2, 7;"
      "st.shared.u32 [cell], %r2;\n written: bar.warp.sync -1; setp.ne.u32 %p2, %me, 33;"
      "@%p2 bra done;\n ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1;\n done:";
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    EXPECT_EQ(grades(findings(body, seed, 64)), "race failure") << seed;
  }
}

TEST(RaceGrade, WriterThatReadsItsOwnValueIsBenign) {
  const std::string body =
      kStart +
      "rem.u32 %r5, %me, 32; setp.ne.u32 %p1, %r5, 0; @%p1 bra done;\n mov.u32 %r2, 7;"
      "st.shared.u32 [cell], %r2; ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1;\n done:";
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    EXPECT_EQ(grades(findings(body, seed, 96)), "race same-value") << seed;
  }
}

/// Thread 0 stores, fences and raises a flag by an atomic; thread 32 polls the flag by `poll`,
/// executes `fence` and loads.
std::string message(const std::string& poll, const std::string& fence) {
  return kStart +
         "rem.u32 %r5, %me, 32; setp.ne.u32 %p1, %r5, 0; @%p1 bra done;\n mov.u32 %r2, 1;"
         "setp.eq.u32 %p2, %me, 0; @!%p2 bra wait;\n st.shared.u32 [cell], %r2; membar.cta;"
         "atom.shared.exch.b32 %r3, [flag], %r2; bra done;\n wait: " +
         poll + "setp.eq.u32 %p3, %r4, 0; @%p3 bra wait;\n " + fence +
         "ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1;\n done:";
}

TEST(RaceGrade, AtomicWithoutFenceAfterItIsARelaxedRace) {
  const std::string atomic = "atom.shared.add.u32 %r4, [flag], 0;";
  for (std::uint64_t seed = 0; seed < kPollingSeeds; ++seed) {
    const std::vector<Finding> found = findings(message(atomic, ""), seed, 64);
    EXPECT_EQ(grades(found), "race relaxed-order") << seed;
    ASSERT_FALSE(found.empty());
    EXPECT_THAT(report::message_text(found[0]),
                HasSubstr("orders them only if a fence follows it"));
    EXPECT_EQ(grades(findings(message(atomic, "membar.cta;"), seed, 64)), "") << seed;
  }
}

TEST(RaceGrade, LoadOfAFlagWithoutFenceIsAFailure) {
  for (std::uint64_t seed = 0; seed < kPollingSeeds; ++seed) {
    EXPECT_EQ(grades(findings(message("ld.relaxed.cta.shared.u32 %r4, [flag];", ""), seed, 64)),
              "race failure")
        << seed;
  }
}

/// Thread 0 writes `cell` and thread 32 reads it, by volatile accesses, with `between` before the
/// read.
std::vector<Finding> volatile_findings(const std::string& between, bool weak, std::uint64_t seed) {
  Conditions conditions{.block = {64, 1, 1}, .seed = seed, .weak_volatile = weak};
  const std::string body =
      kStart +
      "setp.ne.u32 %p1, %me, 0; @%p1 bra written;\n st.volatile.shared.u32 [cell], 7;\n written: " +
      between +
      "setp.ne.u32 %p2, %me, 32; @%p2 bra done;\n ld.volatile.shared.u32 %r1, [cell];"
      "st.global.u32 [%own], %r1;\n done:";
  return run(body, {}, conditions, kCell).outcome.findings;
}

TEST(RaceGrade, VolatileAccessesWithoutOrderAreANote) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<Finding> found = volatile_findings("", false, seed);
    EXPECT_EQ(grades(found), "race volatile-order") << seed;
    ASSERT_FALSE(found.empty());
    EXPECT_THAT(report::message_text(found[0]),
                HasSubstr("which PTX allows and CUDA C++ does not"));
    EXPECT_EQ(grades(volatile_findings("", true, seed)), "race failure") << seed;
    for (const bool weak : {false, true}) {
      EXPECT_EQ(grades(volatile_findings("bar.sync 0;", weak, seed)), "") << seed;
    }
  }
}

// A weak flag orders nothing, even with fences.
TEST(RaceGrade, WeakVolatileFlagIsARaceAndOrdersNothing) {
  const std::string body =
      kStart +
      "rem.u32 %r5, %me, 32; setp.ne.u32 %p1, %r5, 0; @%p1 bra done;\n mov.u32 %r2, 1;"
      "setp.eq.u32 %p2, %me, 0; @!%p2 bra wait;\n st.shared.u32 [cell], %r2; membar.cta;"
      "st.volatile.shared.u32 [flag], %r2; bra done;\n wait: ld.volatile.shared.u32 %r4, [flag];"
      "setp.eq.u32 %p3, %r4, 0; @%p3 bra wait;\n membar.cta; ld.shared.u32 %r1, [cell];"
      "st.global.u32 [%own], %r1;\n done:";
  Conditions conditions{.block = {64, 1, 1}};
  for (conditions.seed = 0; conditions.seed < kPollingSeeds; ++conditions.seed) {
    conditions.weak_volatile = false;
    const std::vector<Finding> strong = run(body, {}, conditions, kCell).outcome.findings;
    EXPECT_THAT(grades(strong), testing::AnyOf("", "race volatile-order"));
    conditions.weak_volatile = true;
    const std::vector<Finding> weak = run(body, {}, conditions, kCell).outcome.findings;
    EXPECT_THAT(grades(weak), testing::AnyOf("race failure", "race failure, race failure"));
  }
}

/// Thread 32 polls the flag of thread 0, then stores to the flag itself.
TEST(RaceGrade, ObservedStoreHappensBeforeLaterStores) {
  const auto body = [](const char* condition) {
    return kStart +
           "rem.u32 %r5, %me, 32; setp.ne.u32 %p1, %r5, 0; @%p1 bra done;\n mov.u32 %r2, 1;"
           "setp.eq.u32 %p2, %me, 0; @!%p2 bra wait;\n st.relaxed.cta.shared.u32 [flag], %r2;"
           "bra done;\n wait: ld.relaxed.cta.shared.u32 %r4, [flag];" +
           condition + "@%p3 bra wait;\n st.shared.u32 [flag], %r9;\n done:";
  };
  for (std::uint64_t seed = 0; seed < kPollingSeeds; ++seed) {
    EXPECT_EQ(grades(findings(body("setp.eq.u32 %p3, %r4, 0;"), seed, 64)), "") << seed;
    // Without the wait, the load need not observe the store.
    EXPECT_EQ(grades(findings(body("setp.eq.u32 %p3, %r4, 5;"), seed, 64)), "race failure") << seed;
  }
}

TEST(RaceMessage, NamesTheNextIterationOfALoop) {
  const auto loop = [](const char* between, const char* end) {
    return kStart + "mov.u32 %r3, 0;\n again: setp.ne.u32 %p1, %me, 0; @%p1 bra stored;\n" +
           "st.shared.u32 [cell], %r3;\n stored: " + between +
           "ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1;" + end +
           "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 4; @%p2 bra again;\n";
  };
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<Finding> at_end = findings(loop("bar.sync 0;", ""), seed, 64);
    ASSERT_EQ(grades(at_end), "race failure");
    EXPECT_THAT(report::message_text(at_end[0]), HasSubstr(" of the next iteration"));
    // The accesses of one iteration race.
    const std::vector<Finding> between = findings(loop("", "bar.sync 0;"), seed, 64);
    ASSERT_EQ(grades(between), "race failure");
    EXPECT_THAT(report::message_text(between[0]), Not(HasSubstr("iteration")));
    EXPECT_EQ(grades(findings(loop("bar.sync 0;", "bar.sync 0;"), seed, 64)), "");
  }
}

/// Two tiles that each thread writes and its neighbour in another warp reads.
constexpr const char* kTwoArrays = ".shared .b32 one[64]; .shared .b32 two[64];";
const std::string kNeighbours =
    "mov.u32 %r1, one; mov.u32 %r2, two; shl.b32 %r3, %me, 2; xor.b32 %r4, %me, 32;"
    "shl.b32 %r4, %r4, 2; add.u32 %r5, %r1, %r3; add.u32 %r6, %r1, %r4; add.u32 %r7, %r2, %r3;"
    "add.u32 %r8, %r2, %r4;\n";
const std::string kStoreOne = "st.shared.u32 [%r5], %me;\n";
const std::string kLoadOne = "ld.shared.u32 %r9, [%r6]; st.global.u32 [%own], %r9;\n";
const std::string kStoreTwo = "st.shared.u32 [%r7], %me;\n";
const std::string kLoadTwo = "ld.shared.u32 %r9, [%r8]; st.global.u32 [%own], %r9;\n";
const std::string kBarrier = "bar.sync 0;\n";

/// The races alone: a thread that reads too early also reads an undefined value.
std::vector<Finding> races(const std::string& body, std::uint64_t seed) {
  std::vector<Finding> found = findings(kNeighbours + body, seed, 64, kTwoArrays);
  std::erase_if(found, [](const Finding& one) { return one.kind != FindingClass::race; });
  return found;
}

TEST(RaceCause, RacesThatOneBarrierOrdersAreOneFinding) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<Finding> found = races(kStoreOne + kStoreTwo + kLoadOne + kLoadTwo, seed);
    ASSERT_EQ(grades(found), "race failure");
    ASSERT_EQ(found[0].same_cause.size(), 1U);
    const Finding& other = found[0].same_cause[0];
    EXPECT_NE(other.memory->name, found[0].memory->name);
    EXPECT_EQ(other.missing->kind, MissingOrder::Kind::barrier);
    EXPECT_GE(other.count, 1U);
  }
}

TEST(RaceCause, RacesThatNeedTwoBarriersAreTwoFindings) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    // Another barrier, or the program's order, keeps the two races apart.
    for (const std::string& body : {kStoreOne + kLoadOne + kBarrier + kStoreTwo + kLoadTwo,
                                    kStoreOne + kLoadOne + kStoreTwo + kLoadTwo}) {
      const std::vector<Finding> found = races(body, seed);
      ASSERT_EQ(grades(found), "race failure, race failure") << body;
      EXPECT_TRUE(found[0].same_cause.empty());
      EXPECT_TRUE(found[1].same_cause.empty());
    }
  }
}

TEST(RaceMessage, NamesNoIterationWithoutALoop) {
  // The code of the threads that store lies behind that of those that load.
  const std::string body =
      kStart +
      "setp.lt.u32 %p1, %me, 32; @%p1 bra store;\n back: ld.shared.u32 %r1, [cell];"
      "st.global.u32 [%own], %r1; bra done;\n store: setp.ne.u32 %p2, %me, 0; @%p2 bra back;\n"
      "st.shared.u32 [cell], %me; bra back;\n done:";
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<Finding> found = findings(body, seed, 64);
    ASSERT_FALSE(found.empty());
    EXPECT_THAT(report::message_text(found[0]), HasSubstr("no barrier between"));
    EXPECT_THAT(report::message_text(found[0]), Not(HasSubstr("iteration")));
  }
}

/// Thread 0 stores only if its ticket is the second one. It does in about half of the schedules.
TEST(Schedules, RaceThatDependsOnTheOrderOfAtomicsIsFound) {
  const std::string body =
      kStart +
      "rem.u32 %r5, %me, 32; setp.ne.u32 %p1, %r5, 0; @%p1 bra done;\n"
      "atom.shared.add.u32 %r4, [flag], 1; setp.eq.u32 %p2, %me, 0; @%p2 bra first;\n"
      "ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1; bra done;\n"
      "first: setp.eq.u32 %p3, %r4, 1; @!%p3 bra done;\n st.shared.u32 [cell], %r4;\n done:";
  for (std::uint64_t seed = 0; seed < 2 * kSeeds; ++seed) {
    EXPECT_EQ(grades(findings(body, seed, 64)), "race failure") << seed;
  }
}

}  // namespace
}  // namespace warpcheck::isa::test
