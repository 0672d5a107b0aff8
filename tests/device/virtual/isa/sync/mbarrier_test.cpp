// mbarrier objects: phases, tokens, counts, and findings of misuse (PTX ISA 9.7.13.15).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Conditions kTwoArrivingWarps{.block = {64, 1, 1}};
constexpr const char* kObjects =
    ".shared .align 16 .b64 object; .shared .b64 other; .shared .align 16 .b32 cells[16];";

Result run_one(const std::string& body) { return run(body, {}, kOneThread, kObjects); }

/// Initialises an object with `count` arrivals for all threads.
std::string init(const std::string& count) {
  return "setp.eq.u32 %p9, %me, 0; @%p9 mbarrier.init.shared.b64 [object], " + count +
         "; bar.sync 0;";
}

/// Stores 1 if the predicate is true, otherwise 0.
std::string answer(const std::string& predicate) {
  return "selp.u32 %r9, 1, 0, " + predicate + "; st.global.u32 [%own], %r9;";
}

TEST(Mbarrier, PhaseCompletesWhenAllHaveArrived) {
  const std::string arrive = "mbarrier.arrive.shared.b64 %d1, [object];";
  const std::string test = "mbarrier.test_wait.shared.b64 %p1, [object], %d1;" + answer("%p1");
  const Result over = run(init("32") + arrive + test, {}, {}, kObjects);
  EXPECT_EQ(over.finding(), "");
  EXPECT_EQ(over.at<std::uint32_t>(0), 1U);
  const Result missing_one = run(init("33") + arrive + test, {}, {}, kObjects);
  EXPECT_EQ(missing_one.finding(), "");
  EXPECT_EQ(missing_one.at<std::uint32_t>(0), 0U);
}

TEST(Mbarrier, TokensContainTheMissingArrivals) {
  const Result result = run(init("40") +
                                "mbarrier.arrive.shared::cta.b64 %d1, [object];"
                                "mbarrier.pending_count.b64 %r1, %d1; st.global.u32 [%own], %r1;",
                            {}, {}, kObjects);
  EXPECT_EQ(result.finding(), "");
  std::uint64_t sum = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) sum += result.at<std::uint64_t>(lane);
  EXPECT_EQ(sum, 32U * (40U + 9U) / 2);  // 40 down to 9 in any order
}

TEST(Mbarrier, ParitySelectsThePrecedingOrCurrentPhase) {
  const auto test = [](const std::string& arrivals, const std::string& parity) {
    return run_one("mbarrier.init.shared.b64 [object], 1;" + arrivals +
                   "mbarrier.test_wait.parity.shared.b64 %p1, [object], " + parity + ";" +
                   answer("%p1"))
        .at<std::uint32_t>(0);
  };
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [object];";
  EXPECT_EQ(test("", "1"), 1U);  // the phase before the first one counts as complete
  EXPECT_EQ(test("", "0"), 0U);
  EXPECT_EQ(test(arrive, "0"), 1U);
  EXPECT_EQ(test(arrive, "1"), 0U);
  EXPECT_EQ(test(arrive + arrive, "1"), 1U);
  EXPECT_EQ(test(arrive + arrive, "0"), 0U);
}

TEST(Mbarrier, ArrivalMayCountForSeveral) {
  const Result result = run_one(
      "mbarrier.init.shared.b64 [object], 5; mbarrier.arrive.shared.b64 %d1, [object], 2;"
      "mbarrier.arrive.release.cta.shared::cta.b64 %d2, [object], 3;"
      "mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%own+4], %r1;"
      "mbarrier.test_wait.shared.b64 %p1, [object], %d1;" +
      answer("%p1"));
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 1U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 3U);
}

TEST(Mbarrier, DroppedArrivalsDoNotCountAgain) {
  const Result result = run_one(
      "mbarrier.init.shared.b64 [object], 2; mbarrier.arrive_drop.shared.b64 _, [object];"
      "mbarrier.arrive.shared.b64 _, [object]; mbarrier.arrive.shared.b64 %d1, [object];"
      "mbarrier.test_wait.shared.b64 %p1, [object], %d1;" +
      answer("%p1"));
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 1U);
}

TEST(Mbarrier, WaitsForTheExpectedBytes) {
  const auto test = [](const std::string& bytes) {
    return run_one(
        "mbarrier.init.shared.b64 [object], 1;"
        "mbarrier.arrive.expect_tx.shared.b64 %d1, [object], 48;"
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [object], " +
        bytes + "; mbarrier.test_wait.shared.b64 %p1, [object], %d1;" + answer("%p1"));
  };
  EXPECT_EQ(test("48").at<std::uint32_t>(0), 1U);
  EXPECT_EQ(test("32").at<std::uint32_t>(0), 0U);
  EXPECT_EQ(test("32").finding(), "");
}

TEST(Mbarrier, PollingWarpsLetOthersArrive) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    Conditions conditions = kTwoArrivingWarps;
    conditions.seed = seed;
    conditions.budget = 2000;
    const Result result =
        run(init("32") +
                "setp.lt.u32 %p1, %me, 32; @%p1 bra produce;\n"
                "wait: mbarrier.try_wait.parity.shared.b64 %p2, [object], 0; @!%p2 bra wait;\n"
                "ld.shared.u32 %r1, [cells]; st.global.u32 [%own], %r1; bra end;\n"
                "produce: @%p9 st.shared.u32 [cells], 42; mbarrier.arrive.shared.b64 _, [object];\n"
                "end:",
            {}, conditions, kObjects);
    EXPECT_EQ(result.finding(), "");
    EXPECT_EQ(result.at<std::uint64_t>(40), 42U);
  }
}

TEST(Mbarrier, PollingLanesLetTheirWarpArrive) {
  const Result result =
      run(init("1") +
              "@%p9 bra late;\n"
              "wait: mbarrier.try_wait.parity.shared.b64 %p2, [object], 0, 1000; @!%p2 bra wait;\n"
              "ld.shared.u32 %r1, [cells]; st.global.u32 [%own], %r1; bra end;\n"
              "late: st.shared.u32 [cells], 42; mbarrier.arrive.shared.b64 _, [object];\n"
              "end:",
          {}, {}, kObjects);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(31), 42U);
}

TEST(Mbarrier, WaitWithoutArrivalsIsADeadlock) {
  const Result result =
      run(init("65") +
              "mbarrier.arrive.shared.b64 _, [object];\n"
              "wait: mbarrier.try_wait.parity.shared.b64 %p2, [object], 0; @!%p2 bra wait;",
          {}, kTwoArrivingWarps, kObjects);
  EXPECT_THAT(result.finding(), StartsWith("deadlock"));
  EXPECT_THAT(result.finding(), HasSubstr("the mbarrier object at byte 0 of object stays in phase "
                                          "0, which misses 1 arrival"));
}

TEST(Mbarrier, MustBeInitialised) {
  EXPECT_THAT(run_one("mbarrier.arrive.shared.b64 _, [object];").finding(),
              StartsWith("uninitialized-read: byte 0 of object begins no mbarrier object"));
  EXPECT_THAT(
      run_one("st.shared.u64 [object], 5; mbarrier.arrive.shared.b64 _, [object];").finding(),
      StartsWith("barrier-divergence"));
  EXPECT_THAT(run_one("mbarrier.init.shared.b64 [object], 1; mbarrier.inval.shared.b64 [object];"
                      "mbarrier.arrive.shared.b64 _, [object];")
                  .finding(),
              StartsWith("uninitialized-read"));
  EXPECT_THAT(run_one("mbarrier.init.shared.b64 [object], 1; st.shared.u32 [object], 9;"
                      "mbarrier.arrive.shared.b64 _, [object];")
                  .finding(),
              HasSubstr("the mbarrier object at byte 0 of object was overwritten"));
}

TEST(Mbarrier, MustBeInSharedMemoryAlignedToEightBytes) {
  EXPECT_THAT(run_one("mbarrier.init.shared.b64 [cells+4], 1;").finding(),
              StartsWith("misaligned"));
  EXPECT_THAT(run_one("mbarrier.init.b64 [%out], 1;").finding(),
              HasSubstr("the mbarrier object lies outside shared memory"));
}

TEST(Mbarrier, CountsFromOneToItsMaximum) {
  EXPECT_EQ(run_one("mbarrier.init.shared.b64 [object], 1048575;").finding(), "");
  EXPECT_THAT(run_one("mbarrier.init.shared.b64 [object], 1048576;").finding(),
              HasSubstr("a count of 1048576 is given"));
  EXPECT_THAT(run_one("mbarrier.init.shared.b64 [object], 0;").finding(),
              HasSubstr("a count of 0 is given"));
}

TEST(Mbarrier, ExcessArrivalsAreAFinding) {
  EXPECT_THAT(run_one("mbarrier.init.shared.b64 [object], 2;"
                      "mbarrier.arrive.shared.b64 _, [object], 3;")
                  .finding(),
              HasSubstr("3 arrive where the phase waits for 2 more"));
}

TEST(Mbarrier, NoCompleteArrivalsDoNotCompleteAPhase) {
  const std::string start = "mbarrier.init.shared.b64 [object], 2;";
  const std::string arrive = "mbarrier.arrive.noComplete.shared.b64 %d1, [object], 1;";
  EXPECT_EQ(run_one(start + arrive).finding(), "");
  EXPECT_THAT(run_one(start + arrive + arrive).finding(), HasSubstr(".noComplete rules out"));
}

TEST(Mbarrier, TokensAreValidForTheirObjectAndPhase) {
  const std::string start =
      "mbarrier.init.shared.b64 [object], 1; mbarrier.init.shared.b64 [other], 1;"
      "mbarrier.arrive.shared.b64 %d1, [object];";
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [object];";
  EXPECT_EQ(run_one(start + "mbarrier.test_wait.shared.b64 %p1, [object], %d1;").finding(), "");
  EXPECT_THAT(run_one(start + "mbarrier.test_wait.shared.b64 %p1, [other], %d1;").finding(),
              HasSubstr("the token is not one of this mbarrier object"));
  EXPECT_THAT(
      run_one(start + arrive + "mbarrier.test_wait.shared.b64 %p1, [object], %d1;").finding(),
      HasSubstr("the token is of phase 0; the object is in phase 2"));
}

TEST(Mbarrier, CopiesArriveForTheirThread) {
  const std::vector<std::uint32_t> words(32, 7);
  const auto copy = [&](const std::string& count, const std::string& form) {
    return run(init(count) +
                   "cp.async.ca.shared.global [cells], [%in], 4; cp.async.mbarrier.arrive" + form +
                   ".shared.b64 [object];"
                   "mbarrier.test_wait.parity.shared.b64 %p1, [object], 0;" +
                   answer("%p1") +
                   "@!%p1 ret; ld.shared.u32 %r1, [cells];"
                   "st.global.u32 [%own+4], %r1;",
               words, kOneThread, kObjects);
  };
  EXPECT_EQ(copy("1", ".noinc").at<std::uint32_t>(0), 1U);
  EXPECT_EQ(copy("1", ".noinc").at<std::uint32_t>(1), 7U);
  EXPECT_EQ(copy("1", ".noinc").finding(), "");
  EXPECT_EQ(copy("2", ".noinc").at<std::uint32_t>(0), 0U);
  EXPECT_EQ(copy("1", "").at<std::uint32_t>(0), 0U);  // one more arrival is pending, and occurs
  EXPECT_EQ(copy("1", "").finding(), "");
}

/// A bulk copy by one thread, which waits for it and stores word 3.
Result run_bulk(const std::string& to, const std::string& from, const std::string& bytes) {
  std::vector<std::uint32_t> words(16);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 100 + i;
  return run("mbarrier.init.shared.b64 [object], 1; mov.u32 %r1, object; mov.u32 %r2, " + bytes +
                 "; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" + to +
                 "], [" + from +
                 "], %r2, [%r1]; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], " +
                 bytes +
                 "; mbarrier.arrive.shared::cta.b64 %d1, [object], 1;"
                 "mbarrier.try_wait.shared.b64 %p1, [object], %d1;" +
                 answer("%p1") + "ld.shared.u32 %r3, [cells+12]; st.global.u32 [%own+4], %r3;",
             words, kOneThread, kObjects);
}

TEST(Mbarrier, BulkCopiesCompleteTheExpectedBytes) {
  const Result result = run_bulk("cells", "%in", "64");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 1U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 103U);
  EXPECT_EQ(run_bulk("cells", "%in+16", "16").at<std::uint32_t>(1), 107U);
}

/// Two warps wait for a copy that thread 0 issues after its arrival; each thread stores word 3.
/// Thread 0 executes `before_copy` between the two.
Result run_late_bulk(const std::string& before_copy, const std::string& after_wait) {
  const std::vector<std::uint32_t> words(16, 7);
  return run(init("1") +
                 "mov.u32 %r1, object; mov.u32 %r2, cells; setp.ne.u32 %p2, %me, 0;"
                 "@%p2 bra WAIT;"
                 "mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], 64;" +
                 before_copy +
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%in], "
                 "64, [%r1];"
                 "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [object], 0;"
                 "@!%p1 bra WAIT;" +
                 after_wait + "ld.shared.u32 %r3, [cells+12]; st.global.u32 [%own], %r3;",
             words, kTwoArrivingWarps, kObjects);
}

TEST(Mbarrier, BulkCopyAfterTheArrivalIsOrderedBeforeWaiters) {
  const Result result = run_late_bulk("", "");
  EXPECT_EQ(result.finding(), "");
  for (std::size_t thread = 0; thread < 64; ++thread) {
    EXPECT_EQ(result.at<std::uint64_t>(thread), 7U);
  }
  // The completion of the copy releases what its thread wrote before it.
  EXPECT_EQ(run_late_bulk("st.shared.u32 [other], 5;", "ld.shared.u32 %r4, [other];").finding(),
            "");
}

TEST(Mbarrier, WriteAfterTheBulkCopyRacesWithWaiters) {
  const std::string write = "setp.ne.u32 %p3, %me, 0; @!%p3 st.shared.u32 [cells+12], 5;";
  EXPECT_THAT(run_late_bulk("", write).finding(), StartsWith("race"));
}

TEST(Mbarrier, BulkCopiesRequireUnitsOfSixteenBytes) {
  EXPECT_THAT(run_bulk("cells", "%in", "24").finding(), HasSubstr("which is no multiple of 16"));
  EXPECT_THAT(run_bulk("cells", "%in+4", "16").finding(), StartsWith("misaligned"));
  EXPECT_THAT(run_bulk("cells+8", "%in", "16").finding(), StartsWith("misaligned"));
  EXPECT_THAT(run_bulk("cells", "%in", "80").finding(),
              StartsWith("out-of-bounds: bulk copy of 80 bytes from byte 0 of in, which has 64"));
  EXPECT_THAT(run_bulk("cells+16", "%in", "64").finding(), StartsWith("out-of-bounds"));
}

}  // namespace
}  // namespace warpcheck::isa::test
