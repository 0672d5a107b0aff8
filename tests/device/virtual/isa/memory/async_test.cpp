// Asynchronous copies: reads at their issue, and the bytes after each wait (PTX ISA 9.7.9.25.3).
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

const Conditions kOneWarp;
const std::vector<std::uint32_t> kWords{10, 11, 12, 13, 14, 15, 16, 17};
constexpr const char* kCells = ".shared .align 16 .b32 cells[8];";

/// Runs `body` in one thread, then stores the four words of `cells` to the output.
Result run_copy(const std::string& body, const std::vector<std::uint32_t>& in = kWords) {
  return run_module(entry(body + "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [cells];"
                                 "st.global.v4.u32 [%out], {%r4, %r5, %r6, %r7};",
                          kCells),
                    bytes_of(in), 16, kOneThread);
}

TEST(AsyncCopy, CopiesItsBytesByItsWait) {
  const Result result = run_copy(
      "cp.async.cg.shared.global [cells], [%in], 16; cp.async.commit_group;"
      "cp.async.wait_group 0;");
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(result.at<std::uint32_t>(i), 10 + i);
}

TEST(AsyncCopy, CopiesFourOrEightBytes) {
  const Result result = run_copy(
      "cp.async.ca.shared.global [cells], [%in+4], 4; cp.async.ca.shared.global [cells+4], [%in], "
      "4;"
      "cp.async.ca.shared.global.L2::128B [cells+8], [%in+16], 8; cp.async.wait_all;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 11U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 10U);
  EXPECT_EQ(result.at<std::uint32_t>(2), 14U);
  EXPECT_EQ(result.at<std::uint32_t>(3), 15U);
}

TEST(AsyncCopy, FillsBytesBeyondTheSourceSizeWithZeros) {
  const Result result = run_copy(
      "mov.u32 %r1, 12; cp.async.cg.shared.global [cells], [%in], 16, %r1; cp.async.wait_all;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(2), 12U);
  EXPECT_EQ(result.at<std::uint32_t>(3), 0U);
}

TEST(AsyncCopy, DoesNotReadAnEmptySource) {
  // The address is in no allocation.
  const Result result = run_copy(
      "mov.u64 %d1, 64; cp.async.ca.shared.global [cells], [%d1], 16, 0; cp.async.wait_all;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 0U);
  EXPECT_EQ(result.at<std::uint32_t>(3), 0U);
}

TEST(AsyncCopy, IgnoresItsSourceByAPredicate) {
  for (const std::string ignore : {"%p1", "!%p2"}) {
    const Result result = run_copy(
        "setp.eq.u32 %p1, %me, 0; setp.ne.u32 %p2, %me, 0;"
        "cp.async.cg.shared.global [cells], [%in], 16, " +
        ignore + "; cp.async.wait_all;");
    EXPECT_EQ(result.finding(), "");
    EXPECT_EQ(result.at<std::uint32_t>(0), 0U);
  }
  const Result kept = run_copy(
      "setp.ne.u32 %p1, %me, 0; cp.async.cg.shared.global [cells], [%in], 16, %p1;"
      "cp.async.wait_all;");
  EXPECT_EQ(kept.at<std::uint32_t>(0), 10U);
}

TEST(AsyncCopy, ReadBeyondTheSourceIsOutOfBounds) {
  const std::string wait = "cp.async.wait_all;";
  const std::vector<std::uint32_t> six(6, 1);
  EXPECT_THAT(run_copy("cp.async.cg.shared.global [cells], [%in+16], 16;" + wait, six).finding(),
              StartsWith("out-of-bounds: asynchronous copy of 16 bytes from byte 16 of in, which "
                         "has 24 bytes"));
  EXPECT_EQ(run_copy("cp.async.cg.shared.global [cells], [%in+16], 16, 8;" + wait, six).finding(),
            "");
}

TEST(AsyncCopy, SourceSizeIsAtMostTheCopySize) {
  EXPECT_THAT(run_copy("cp.async.ca.shared.global [cells], [%in], 4, 8;").finding(),
              HasSubstr("a copy of 4 bytes is to read 8 bytes"));
}

TEST(AsyncCopy, RequiresAddressesAlignedToItsSize) {
  EXPECT_THAT(run_copy("cp.async.cg.shared.global [cells], [%in+8], 16;").finding(),
              StartsWith("misaligned: asynchronous copy of 16 bytes from byte 8 of in"));
  EXPECT_THAT(run_copy("cp.async.ca.shared.global [cells+4], [%in], 8;").finding(),
              StartsWith("misaligned"));
}

TEST(AsyncCopy, WriteBeyondASharedVariableIsOutOfBounds) {
  EXPECT_THAT(run_copy("cp.async.cg.shared.global [cells+32], [%in], 16;").finding(),
              StartsWith("out-of-bounds"));
}

TEST(AsyncCopy, BypassOfTheL1CacheRequiresSixteenBytes) {
  EXPECT_THAT(run_copy("cp.async.cg.shared.global [cells], [%in], 8;").finding(),
              HasSubstr("the copy has 8 bytes; .cg allows 16"));
  EXPECT_THAT(run_copy("cp.async.ca.shared.global [cells], [%in], 12;").finding(),
              StartsWith("unsupported "));
}

TEST(AsyncCopy, IsIncompleteBeforeItsWait) {
  const Result result = run_copy(
      "st.shared.u32 [cells+12], 7; cp.async.ca.shared.global [cells+12], [%in], 4;"
      "cp.async.commit_group; ld.shared.u32 %r8, [cells+12]; cp.async.wait_group 0;"
      "ld.shared.u32 %r9, [cells+12]; st.shared.v4.u32 [cells], {%r8, %r9, %r8, %r9};");
  EXPECT_THAT(result.finding(), StartsWith("race"));
  EXPECT_THAT(result.finding(), HasSubstr("the copy is waited for only at PTX line"));
  EXPECT_THAT(result.outcome.findings.front().source.instruction, StartsWith("ld.shared"));
  EXPECT_THAT(result.outcome.findings.front().other->source.instruction, StartsWith("cp.async.ca"));
  EXPECT_EQ(result.at<std::uint32_t>(0), 7U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 10U);
}

TEST(AsyncCopy, WithoutAWaitIsReported) {
  const Result read = run_copy("cp.async.cg.shared.global [cells], [%in], 16;");
  EXPECT_THAT(read.finding(), StartsWith("race"));
  EXPECT_THAT(read.finding(), HasSubstr("no thread waits for the copy"));
  EXPECT_EQ(
      run("cp.async.cg.shared.global [cells], [%in], 16;", kWords, kOneThread, kCells).finding(),
      "");
}

TEST(AsyncCopy, GroupsCompleteInTheOrderOfTheirCommits) {
  const Result result = run_copy(
      "st.shared.v4.u32 [cells], {1, 2, 3, 4};"
      "cp.async.ca.shared.global [cells], [%in], 4; cp.async.commit_group;"
      "cp.async.ca.shared.global [cells+4], [%in], 4; cp.async.commit_group;"
      "cp.async.ca.shared.global [cells+8], [%in], 4;"
      "cp.async.wait_group 1;");
  // The second group and the copy without a group are incomplete.
  EXPECT_THAT(result.finding(), StartsWith("race"));
  EXPECT_EQ(result.at<std::uint32_t>(0), 10U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 2U);
  EXPECT_EQ(result.at<std::uint32_t>(2), 3U);
}

TEST(AsyncCopy, EmptyGroupsCount) {
  const Result result = run_copy(
      "st.shared.v4.u32 [cells], {1, 2, 3, 4};"
      "cp.async.ca.shared.global [cells], [%in], 4; cp.async.commit_group;"
      "cp.async.commit_group; cp.async.wait_group 1;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 10U);
}

TEST(AsyncCopy, ThreadsHaveSeparateGroups) {
  // The lower half commits an empty group after its copy, so that its wait completes the copy; the
  // copy of the upper half is its last group.
  const Result result =
      run("mov.u32 %r2, words; mad.lo.u32 %r3, %me, 4, %r2; st.shared.u32 [%r3], 99;"
          "mad.wide.u32 %d1, %me, 4, %in; cp.async.ca.shared.global [%r3], [%d1], 4;"
          "cp.async.commit_group; setp.lt.u32 %p1, %me, 16; @%p1 cp.async.commit_group;"
          "cp.async.wait_group 1; @%p1 ld.shared.u32 %r1, [%r3]; @!%p1 mov.u32 %r1, 1;"
          "cp.async.wait_all; @!%p1 ld.shared.u32 %r1, [%r3]; st.global.u32 [%own], %r1;",
          std::vector<std::uint32_t>(32, 5), kOneWarp, ".shared .b32 words[32];");
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(result.at<std::uint64_t>(lane), 5U);
}

TEST(AsyncCopy, CopiesUndefinedBytes) {
  Conditions conditions = kOneThread;
  conditions.in_initialized = false;
  const std::string copy = "cp.async.cg.shared.global [cells], [%in], 16; cp.async.wait_all;";
  const std::string load = "ld.shared.u32 %r1, [cells+4];";
  EXPECT_EQ(run(copy + load, kWords, conditions, kCells).finding(), "");
  EXPECT_THAT(run(copy + load + "st.global.u32 [%own], %r1;", kWords, conditions, kCells).finding(),
              StartsWith("uninitialized-read"));
}

TEST(AsyncCopy, UndefinedSizeIsAFinding) {
  EXPECT_THAT(run_copy("cp.async.ca.shared.global [cells], [%in], 4, %r9;").finding(),
              StartsWith("uninitialized-read"));
}

TEST(AsyncCopy, RunsUnderAGuard) {
  const Result result = run_copy(
      "st.shared.v4.u32 [cells], {1, 2, 3, 4}; setp.ne.u32 %p1, %me, 0;"
      "@%p1 cp.async.ca.shared.global [cells], [%in], 4;"
      "@!%p1 cp.async.ca.shared.global [cells+4], [%in], 4; cp.async.wait_all;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 1U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 10U);
}

TEST(AsyncCopy, CopiesOfTheSameBytesToOnePlaceAreNoRace) {
  EXPECT_EQ(run("cp.async.ca.shared.global [cells], [%in], 4; cp.async.wait_all;", kWords, kOneWarp,
                kCells)
                .finding(),
            "");
  EXPECT_THAT(run("mad.wide.u32 %d1, %me, 4, %in; cp.async.ca.shared.global [cells], [%d1], 4;"
                  "cp.async.wait_all;",
                  std::vector<std::uint32_t>{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                             12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                             23, 24, 25, 26, 27, 28, 29, 30, 31, 32},
                  kOneWarp, kCells)
                  .finding(),
              StartsWith("race"));
}

}  // namespace
}  // namespace warpcheck::isa::test
