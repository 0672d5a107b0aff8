// Evidence that a launch with Job::track_origins adds to findings.
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

Finding tracked(const std::string& body, const char* declarations = "", unsigned threads = 32) {
  Conditions conditions{.block = {threads, 1, 1}};
  conditions.in_initialized = false;
  conditions.track_origins = true;
  const Result result = run(body, {1, 2, 3, 4}, conditions, declarations);
  EXPECT_EQ(result.outcome.findings.size(), 1U) << result.finding();
  return result.outcome.findings.empty() ? Finding() : result.outcome.findings.front();
}

/// Thread 0 stores what it computed from %r1.
const std::string kUse =
    "add.u32 %r2, %r1, 1; mul.lo.u32 %r3, %r2, %r2;\n setp.ne.u32 %p1, %me, 0; @%p1 bra done;\n"
    "st.global.u32 [%own], %r3;\n done:";

TEST(Origin, LoadOfSharedMemoryThatNoThreadWrote) {
  const Finding finding = tracked("ld.shared.u32 %r1, [tile+4];\n" + kUse, ".shared .b32 tile[4];");
  ASSERT_TRUE(finding.origin);
  EXPECT_THAT(finding.origin->source.instruction, StartsWith("ld.shared.u32 %r1"));
  ASSERT_TRUE(finding.origin->memory);
  EXPECT_EQ(finding.origin->memory->name, "tile");
  EXPECT_EQ(finding.origin->memory->offset, 4);
  EXPECT_FALSE(finding.origin->written);
}

TEST(Origin, LoadOfABufferWithoutContents) {
  const Finding finding = tracked("ld.global.u32 %r1, [%in+8];\n" + kUse);
  ASSERT_TRUE(finding.origin && finding.origin->memory);
  EXPECT_EQ(finding.origin->memory->name, "in");
  EXPECT_EQ(finding.origin->memory->offset, 8);
}

TEST(Origin, RegisterWithoutAValue) {
  const Finding finding = tracked("xor.b32 %r1, %r20, 1;\n" + kUse);
  ASSERT_TRUE(finding.origin);
  EXPECT_THAT(finding.origin->source.instruction, StartsWith("xor.b32 %r1"));
  EXPECT_FALSE(finding.origin->memory);
}

TEST(Origin, UndefinedValueThatAnotherThreadStored) {
  const Finding finding = tracked(
      "xor.b32 %r4, %r20, 1; setp.ne.u32 %p2, %me, 32; @%p2 bra stored;\n"
      "st.shared.u32 [tile], %r4;\n stored: bar.sync 0; ld.shared.u32 %r1, [tile];\n" +
          kUse,
      ".shared .b32 tile[4];", 64);
  ASSERT_TRUE(finding.origin);
  EXPECT_THAT(finding.origin->source.instruction, StartsWith("xor.b32 %r4"));
}

TEST(Origin, ValueThatIsDefinedAgainHasNone) {
  const Finding finding = tracked(
      "ld.shared.u32 %r1, [tile]; mov.u32 %r1, 5; ld.global.u32 %r5, [%in];"
      "add.u32 %r1, %r1, %r5;\n" +
          kUse,
      ".shared .b32 tile[4];");
  ASSERT_TRUE(finding.origin && finding.origin->memory);
  EXPECT_EQ(finding.origin->memory->name, "in");
}

const char* const kTile = ".shared .b32 tile[4];";

TEST(Origin, PredicateOfABranch) {
  const Finding finding = tracked(
      "ld.shared.u32 %r1, [tile+8]; setp.ne.u32 %p4, %r1, 0; @%p4 bra other;\n other:", kTile, 1);
  EXPECT_THAT(finding.message, HasSubstr("the predicate of the branch is undefined"));
  ASSERT_TRUE(finding.origin && finding.origin->memory);
  EXPECT_EQ(finding.origin->memory->offset, 8);
}

TEST(Origin, GuardOfAStore) {
  const Finding finding =
      tracked("ld.shared.u32 %r1, [tile]; setp.ne.u32 %p4, %r1, 0; @%p4 st.global.u32 [%own], %me;",
              kTile, 1);
  EXPECT_THAT(finding.message, HasSubstr("the predicate that guards"));
  ASSERT_TRUE(finding.origin && finding.origin->memory);
  EXPECT_EQ(finding.origin->memory->name, "tile");
}

TEST(Origin, ValueOfAVote) {
  const Finding finding = tracked(
      "ld.shared.u32 %r1, [tile+4]; setp.ne.u32 %p4, %r1, 0; vote.sync.any.pred %p5, %p4, -1;",
      kTile);
  ASSERT_TRUE(finding.origin && finding.origin->memory);
  EXPECT_EQ(finding.origin->memory->offset, 4);
}

/// A shuffle after which thread 0 stores what it read.
Finding shuffled(const std::string& before, const std::string& distance, const std::string& mask,
                 unsigned threads) {
  return tracked("mov.u32 %r1, 7;\n" + before + "shfl.sync.down.b32 %r1, %r1, " + distance +
                     ", 31, " + mask + ";\n" + kUse,
                 kTile, threads);
}

TEST(Origin, ShuffleFromALaneThatDoesNotExist) {
  const Finding finding = shuffled("", "16", "-1", 16);
  ASSERT_TRUE(finding.origin);
  EXPECT_THAT(finding.origin->source.instruction, StartsWith("shfl.sync.down"));
  EXPECT_EQ(finding.origin->lane, (AbsentLane{16, AbsentLane::Reason::no_thread}));
}

TEST(Origin, ShuffleFromALaneBesideTheMask) {
  const Finding finding =
      shuffled("setp.ge.u32 %p4, %me, 16; @%p4 bra done;\n", "20", "0xffff", 32);
  ASSERT_TRUE(finding.origin);
  EXPECT_EQ(finding.origin->lane, (AbsentLane{20, AbsentLane::Reason::not_in_mask}));
}

TEST(Origin, ShuffleFromALaneThatHasExited) {
  const Finding finding = shuffled("setp.ge.u32 %p4, %me, 16; @%p4 exit;\n", "24", "-1", 32);
  ASSERT_TRUE(finding.origin);
  EXPECT_EQ(finding.origin->lane, (AbsentLane{24, AbsentLane::Reason::exited}));
}

TEST(Origin, ShuffleOfAnUndefinedValueOfAnotherLane) {
  const Finding finding =
      shuffled("setp.ne.u32 %p4, %me, 9; @!%p4 ld.shared.u32 %r1, [tile+12];\n", "9", "-1", 32);
  ASSERT_TRUE(finding.origin && finding.origin->memory);
  EXPECT_EQ(finding.origin->memory->offset, 12);
  EXPECT_FALSE(finding.origin->lane);
}

/// A load of the input at index %r1, which has 300 words.
Finding loaded(const std::string& index) {
  Conditions conditions{.block = {1, 1, 1}};
  conditions.track_origins = true;
  const Result result =
      run(index +
              "mul.wide.s32 %d1, %r1, 4; add.s64 %d2, %in, %d1;\n ld.global.u32 %r2, [%d2];\n"
              "st.global.u32 [%own], %r2;",
          std::vector<std::uint32_t>(300), conditions);
  return result.outcome.findings.empty() ? Finding() : result.outcome.findings.front();
}

TEST(Overflow, SignedIndexOf8BitsIsNamedAtItsNarrowing) {
  const Finding finding = loaded("mov.u32 %r3, 200; cvt.s32.s8 %r1, %r3;\n");
  EXPECT_EQ(finding.kind, FindingClass::out_of_bounds);
  ASSERT_TRUE(finding.overflow);
  EXPECT_THAT(finding.overflow->source.instruction, StartsWith("cvt.s32.s8"));
  EXPECT_EQ(finding.overflow->bits, 8U);
  EXPECT_TRUE(finding.overflow->is_signed);
  EXPECT_EQ(finding.overflow->memory.offset, -56 * 4);
  EXPECT_EQ(finding.overflow->offset, 800);
}

TEST(Overflow, UnsignedIndexOf16BitsIsNamedWhereItWraps) {
  // 65530 + 10 - 65500, where 16 bits hold 65530 + 10 as 4 and the difference as -65496.
  const Finding finding = loaded(
      "mov.u32 %r3, 65530; cvt.u16.u32 %h1, %r3; add.u16 %h2, %h1, 10; cvt.u32.u16 %r4, %h2;\n"
      "sub.s32 %r1, %r4, 65500;\n");
  ASSERT_TRUE(finding.overflow);
  EXPECT_THAT(finding.overflow->source.instruction, StartsWith("add.u16"));
  EXPECT_EQ(finding.overflow->bits, 16U);
  EXPECT_FALSE(finding.overflow->is_signed);
  EXPECT_EQ(finding.overflow->offset, 40 * 4);
}

TEST(Overflow, HashOutOfBoundsHasNone) {
  const Finding finding =
      loaded("mov.u32 %r3, 12345; mul.lo.u32 %r4, %r3, 2654435761; shr.u32 %r1, %r4, 8;\n");
  EXPECT_EQ(finding.kind, FindingClass::out_of_bounds);
  EXPECT_FALSE(finding.overflow);
}

TEST(Overflow, DifferenceThatWrapsBackFits) {
  const Finding finding =
      loaded("mov.u32 %r3, 5; sub.u32 %r4, %r3, 10; add.u32 %r5, %r4, 900; mov.u32 %r1, %r5;\n");
  EXPECT_EQ(finding.kind, FindingClass::out_of_bounds);
  EXPECT_FALSE(finding.overflow);
}

TEST(Exits, NameTheBranchByWhichTheFirstThreadLeft) {
  const Finding finding = tracked(
      "setp.ge.u32 %p3, %me, 99; @%p3 bra done;\n setp.ge.u32 %p1, %me, 40; @%p1 bra done;\n"
      "bar.sync 0; mov.u32 %r1, 3; setp.gt.u32 %p2, %r1, 5; @%p2 bra done;\n"
      "st.global.u32 [%own], %r1;\n done:",
      "", 64);
  EXPECT_EQ(finding.grade, Grade::exited_threads);
  ASSERT_EQ(finding.groups.size(), 1U);
  EXPECT_EQ(finding.groups[0].state, ThreadGroup::State::exited);
  EXPECT_EQ(finding.groups[0].threads, 24U);
  EXPECT_EQ(finding.groups[0].first.thread, (Dim3{40, 0, 0}));
  EXPECT_THAT(finding.groups[0].source.instruction, HasSubstr("%p1"));
}

}  // namespace
}  // namespace warpcheck::isa::test
