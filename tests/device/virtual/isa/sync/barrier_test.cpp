// Barriers of a block: participation, and the findings of missing threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "report/finding/message.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Conditions kTwoWarps{.block = {64, 1, 1}};

TEST(Barrier, WarpsReadStoresBeforeTheBarrier) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    Conditions conditions = kTwoWarps;
    conditions.seed = seed;
    const Result result =
        run("mov.u32 %r2, words; mad.lo.u32 %r3, %me, 4, %r2; st.shared.u32 [%r3], %me; bar.sync 0;"
            "sub.u32 %r4, 63, %me; mad.lo.u32 %r3, %r4, 4, %r2; ld.shared.u32 %r1, [%r3];"
            "st.global.u32 [%own], %r1;",
            {}, conditions, ".shared .b32 words[64];");
    EXPECT_EQ(result.finding(), "");
    EXPECT_EQ(result.at<std::uint64_t>(0), 63U);
    EXPECT_EQ(result.at<std::uint64_t>(63), 0U);
  }
}

/// Expects the note of a barrier that `exited` threads miss, and nothing else.
void expect_note(const Result& result, const std::string& exited) {
  ASSERT_EQ(result.outcome.findings.size(), 1U);
  const Finding& note = result.outcome.findings.front();
  EXPECT_EQ(note.kind, FindingClass::barrier_divergence);
  EXPECT_EQ(note.grade, Grade::exited_threads);
  EXPECT_THAT(report::message_text(note), StartsWith(exited));
  EXPECT_THAT(note.source.instruction, StartsWith("bar."));
}

TEST(Barrier, ThreadsThatReturnEarlyAreANote) {
  const Result result =
      run("setp.ge.u32 %p1, %me, 40; @%p1 ret; bar.sync 0; mov.u32 %r2, 5;\n bar.sync 0;"
          "st.global.u32 [%own], %r2;",
          {}, kTwoWarps);
  expect_note(result,  // one note for both barriers
              "24 of the block's 64 threads have exited before this barrier, thread (40, 0, 0) "
              "first");
  EXPECT_EQ(result.outcome.findings.front().count, 2U);
  EXPECT_EQ(result.at<std::uint64_t>(39), 5U);  // the launch continues
  EXPECT_EQ(result.at<std::uint64_t>(40), 0U);
}

TEST(Barrier, WarpThatReturnsEarlyIsANote) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    Conditions conditions = kTwoWarps;
    conditions.seed = seed;
    expect_note(run("setp.ge.u32 %p1, %me, 32; @%p1 ret; bar.sync 0;", {}, conditions),
                "32 of the block's 64 threads have exited");
    expect_note(run("setp.eq.u32 %p1, %me, 63; @%p1 exit; bar.sync 0;", {}, conditions),
                "1 of the block's 64 threads has exited");
  }
}

TEST(Barrier, NoteIsReportedOnceForALoop) {
  const Result result =
      run("setp.ge.u32 %p1, %me, 32; @%p1 ret; mov.u32 %r2, 0;\n again: bar.sync 0;"
          "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 5; @%p2 bra again;\n",
          {}, kTwoWarps);
  expect_note(result, "32 of");
  EXPECT_EQ(result.outcome.findings.front().count, 5U);
}

TEST(Barrier, ReductionsIgnoreThreadsThatHaveExited) {
  const Result result =
      run("setp.ge.u32 %p1, %me, 40; @%p1 ret; setp.lt.u32 %p2, %me, 40;"
          "bar.red.and.pred %p3, 0, %p2; selp.u32 %r2, 1, 0, %p3; st.global.u32 [%own], %r2;",
          {}, kTwoWarps);
  expect_note(result, "24 of");
  EXPECT_EQ(result.at<std::uint64_t>(0), 1U);
}

TEST(Barrier, CountedBarriersWaitForThreadsThatHaveExited) {
  EXPECT_THAT(run("setp.ge.u32 %p1, %me, 32; @%p1 ret; bar.sync 0, 64;", {}, kTwoWarps).finding(),
              testing::AnyOf(StartsWith("deadlock"), StartsWith("barrier-divergence")));
}

TEST(Barrier, ThreadsThatRunAreWaitedForAfterAnExit) {
  // Warp 1 has exited; warp 0 is divided between two barriers.
  const Result result =
      run("setp.ge.u32 %p1, %me, 32; @%p1 ret; setp.lt.u32 %p2, %me, 10; @%p2 bra low;\n"
          "bar.sync 0; bra met;\n low: bar.sync 1;\n met:",
          {}, kTwoWarps);
  ASSERT_EQ(result.outcome.findings.size(), 1U);
  EXPECT_EQ(result.outcome.findings.front().grade, Grade::failure);
}

TEST(Barrier, RacesAfterAnEarlyReturnAreFound) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    Conditions conditions{.block = {96, 1, 1}};
    conditions.seed = seed;
    const auto exchange = [&](const char* order) {
      return run(
          "mov.u32 %r2, words; mad.lo.u32 %r3, %me, 4, %r2; st.shared.u32 [%r3], %me;"
          "setp.ge.u32 %p1, %me, 64; @%p1 ret; bar.sync 0;"  // also orders the stores before `ret`
          "ld.shared.u32 %r1, [%r3+128]; " +
              std::string(order) + "st.shared.u32 [%r3], %r1; st.global.u32 [%own], %r1;",
          {}, conditions, ".shared .b32 words[128];");
    };
    expect_note(exchange("bar.sync 1;"), "32 of");
    const Result racing = exchange("");
    ASSERT_EQ(racing.outcome.findings.size(), 2U);
    EXPECT_EQ(racing.outcome.findings[1].kind, FindingClass::race);
  }
}

TEST(Barrier, DivergentBarriersAreAFinding) {
  EXPECT_THAT(run("setp.lt.u32 %p1, %me, 10; @%p1 bra low;\n bar.sync 0; bra met;\n"
                  "low: bar.sync 1;\n met:")
                  .finding(),
              testing::AnyOf(StartsWith("barrier-divergence"), StartsWith("deadlock")));
}

TEST(Barrier, NamedBarriersCountTheirThreads) {
  const std::string sync = "mov.u32 %r2, %me; bar.sync 1, 64; st.global.u32 [%own], %r2;";
  EXPECT_EQ(run(sync, {}, kTwoWarps).finding(), "");
  EXPECT_THAT(run("bar.sync 1, 50;", {}, kTwoWarps).finding(),
              HasSubstr("no multiple of the warp's 32"));
  EXPECT_THAT(run("bar.sync 1, 96;", {}, kTwoWarps).finding(),
              testing::AnyOf(StartsWith("deadlock"), StartsWith("barrier-divergence")));
  EXPECT_THAT(run("setp.lt.u32 %p1, %me, 32; @%p1 bra low;\n bar.sync 1, 96; bra met;\n"
                  "low: bar.sync 1, 64;\n met:",
                  {}, kTwoWarps)
                  .finding(),
              StartsWith("barrier-divergence"));
  EXPECT_THAT(run("bar.sync 16;").finding(), HasSubstr("a block has barriers 0 to 15"));
}

TEST(Barrier, ProducerArrivesWithoutWaiting) {
  const Result result =
      run("setp.lt.u32 %p1, %me, 32; @%p1 bra produce;\n"
          "bar.sync 1, 64; ld.shared.u32 %r1, [cell]; st.global.u32 [%own], %r1; bra end;\n"
          "produce: mov.u32 %r2, 42; setp.eq.u32 %p2, %me, 0; @%p2 st.shared.u32 [cell], %r2; "
          "bar.arrive 1, 64;\n end:",
          {}, kTwoWarps, ".shared .b32 cell;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(40), 42U);
}

TEST(Barrier, ReductionsCountTheThreadsOfTheBlock) {
  const Result result =
      run("setp.lt.u32 %p1, %me, 40; bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p2, 0, %p1;"
          "bar.red.or.pred %p3, 0, !%p1; selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 2, 0, %p3;"
          "or.b32 %r2, %r2, %r3; st.global.v2.u32 [%own], {%r1, %r2};",
          {}, kTwoWarps);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 40U);
  EXPECT_EQ(result.at<std::uint32_t>(127), 2U);
}

TEST(Barrier, WarpsThatWaitForEachOtherAreADeadlock) {
  EXPECT_THAT(run("setp.lt.u32 %p1, %me, 32; @%p1 bra low;\n bar.sync 1, 64; bar.sync 2, 64; ret;\n"
                  "low: bar.sync 2, 64; bar.sync 1, 64;",
                  {}, kTwoWarps)
                  .finding(),
              testing::AnyOf(StartsWith("deadlock"), StartsWith("barrier-divergence")));
}

TEST(Barrier, BlockWithAPartialWarpSynchronises) {
  EXPECT_EQ(run("bar.sync 0; bar.sync 0;", {}, {.block = {40, 1, 1}}).finding(), "");
}

TEST(Barrier, LanesOfAWarpReconvergeAtABarrier) {
  const Result result = run(
      "mov.u32 %r2, words; mad.lo.u32 %r3, %me, 4, %r2; setp.lt.u32 %p1, %me, 16; @%p1 bra low;\n"
      "st.shared.u32 [%r3], %me; bar.warp.sync -1; bra met;\n"
      "low: bar.warp.sync -1; ld.shared.u32 %r1, [%r3+64]; st.global.u32 [%own], %r1;\n met:",
      {}, {}, ".shared .b32 words[32];");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(3), 19U);
}

}  // namespace
}  // namespace warpcheck::isa::test
