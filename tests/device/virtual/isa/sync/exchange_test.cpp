// Exchanges between lanes, also under divergence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Exchange, ShufflesReadFromTheNamedLane) {
  const Result result =
      run("shfl.sync.bfly.b32 %r1|%p1, %me, 5, 31, -1; shfl.sync.up.b32 %r2|%p2, %me, 3, 0, -1;"
          "selp.u32 %r3, 100, 0, %p2; add.u32 %r2, %r2, %r3; st.global.v2.u32 [%own], {%r1, %r2};");
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane), lane ^ 5U);
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane + 1), lane < 3 ? lane : lane - 3 + 100);
  }
}

TEST(Exchange, SegmentsAreIndependent) {
  // Width 8: c = ((32 - 8) << 8) | 31.
  const Result result =
      run("shfl.sync.down.b32 %r1, %me, 6, 0x181f, -1; st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.at<std::uint64_t>(1), 7U);
  EXPECT_EQ(result.at<std::uint64_t>(2), 2U);
  EXPECT_EQ(result.at<std::uint64_t>(9), 15U);
}

TEST(Exchange, DivergentLanesExchangeWithinTheirMask) {
  const Result result =
      run("setp.lt.u32 %p1, %me, 16; @%p1 bra low;\n"
          "shfl.sync.bfly.b32 %r1, %me, 1, 31, 0xffff0000; bra met;\n"
          "low: shfl.sync.bfly.b32 %r1, %me, 2, 31, 0x0000ffff;\n met: st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(5), 7U);
  EXPECT_EQ(result.at<std::uint64_t>(20), 21U);
}

TEST(Exchange, ExchangeWaitsForLateLanes) {
  // All lanes of the mask reach the vote, on two paths.
  const Result result =
      run("setp.lt.u32 %p1, %me, 16; mov.u32 %r2, 1; @%p1 bra later;\n mov.u32 %r2, 2; bra vote;\n"
          "later: add.u32 %r2, %r2, 2; add.u32 %r2, %r2, 0;\n"
          "vote: setp.eq.u32 %p2, %r2, 3; vote.sync.ballot.b32 %r1, %p2, -1; st.global.u32 [%own], "
          "%r1;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(0), 0x0000ffffU);
  EXPECT_EQ(result.at<std::uint64_t>(31), 0x0000ffffU);
}

TEST(Exchange, VotesCountTheLanesOfTheMask) {
  const Result result =
      run("setp.lt.u32 %p1, %me, 4; @!%p1 bra met;\n setp.lt.u32 %p2, %me, 2;"
          "vote.sync.all.pred %p3, %p2, 0xf; vote.sync.any.pred %p4, %p2, 0xf;"
          "vote.sync.uni.pred %p5, !%p2, 0xf; selp.u32 %r1, 1, 0, %p3; selp.u32 %r2, 2, 0, %p4;"
          "selp.u32 %r3, 4, 0, %p5; or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3;"
          "st.global.u32 [%own], %r1;\n met:");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(0), 2U);
}

TEST(Exchange, MatchReturnsTheLanesWithEqualValues) {
  const Result result = run(
      "and.b32 %r2, %me, 3; match.any.sync.b32 %r1, %r2, -1; match.all.sync.b32 %r3|%p1, %r2, -1;"
      "st.global.v2.u32 [%own], {%r1, %r3};");
  EXPECT_EQ(result.at<std::uint32_t>(2), 0x22222222U);
  EXPECT_EQ(result.at<std::uint32_t>(3), 0U);
}

TEST(Exchange, ReductionsCombineAllLanes) {
  const Result result =
      run("redux.sync.add.u32 %r1, %me, -1; sub.u32 %r3, %me, 5; redux.sync.min.s32 %r2, %r3, -1;"
          "st.global.v2.u32 [%own], {%r1, %r2};");
  EXPECT_EQ(result.at<std::uint32_t>(0), 496U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 0xfffffffbU);
}

TEST(Exchange, MaskMustIncludeTheLane) {
  EXPECT_THAT(run("vote.sync.ballot.b32 %r1, 1, 0xfffffffe;").finding(),
              StartsWith("barrier-divergence"));
  EXPECT_THAT(
      run("setp.eq.u32 %p1, %me, %me; vote.sync.ballot.b32 %r1, %p1, 0xfffffffe;").finding(),
      HasSubstr("lane 0 takes part with mask 0xfffffffe"));
}

TEST(Exchange, MissingLaneIsAFinding) {
  // Lanes 16 to 31 wait at a barrier of the block.
  EXPECT_THAT(run("setp.lt.u32 %p1, %me, 16; @%p1 bra low;\n bar.sync 0; bra met;\n"
                  "low: shfl.sync.bfly.b32 %r1, %me, 1, 31, -1; bar.sync 0;\n met:")
                  .finding(),
              testing::AnyOf(StartsWith("barrier-divergence"), StartsWith("deadlock")));
}

TEST(Exchange, ValueFromAnUndefinedLaneIsUndefined) {
  const std::string shuffle =
      "mov.u32 %r2, 1; setp.eq.u32 %p1, %me, 0; @%p1 ld.global.u32 %r2, [%in];"
      "shfl.sync.idx.b32 %r1, %r2, ";
  EXPECT_EQ(run(shuffle + "1, 31, -1; st.global.u32 [%own], %r1;", {1}, {.in_initialized = false})
                .finding(),
            "");
  EXPECT_THAT(run(shuffle + "0, 31, -1; st.global.u32 [%own], %r1;", {1}, {.in_initialized = false})
                  .finding(),
              StartsWith("uninitialized-read"));
}

}  // namespace
}  // namespace warpcheck::isa::test
