// Evidence that a launch with Job::track_origins adds to findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

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
