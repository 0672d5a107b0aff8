// Scalar video instructions, against results that the manual's definition gives by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

/// %r1 of thread 0 after `instruction` on %r2 = a, %r3 = b and %r4 = c.
std::uint32_t video(const std::string& instruction, std::uint32_t a, std::uint32_t b,
                    std::uint32_t c = 0) {
  const std::string text = "mov.u32 %r2, " + std::to_string(a) + "; mov.u32 %r3, " +
                           std::to_string(b) + "; mov.u32 %r4, " + std::to_string(c) + "; " +
                           instruction + "; st.global.u32 [%own], %r1;";
  const Result result = run(text);
  EXPECT_EQ(result.finding(), "") << instruction;
  return result.at<std::uint32_t>(0);
}

std::uint32_t negative(std::uint32_t value) { return ~value + 1; }

TEST(Video, PartsAreExtendedByTheirType) {
  EXPECT_EQ(video("vadd.s32.u32.s32 %r1, %r2.b0, %r3.h1", 0xff, 0x80000000), negative(32513));
  EXPECT_EQ(video("vadd.s32.s32.s32 %r1, %r2.b0, %r3.h1", 0xff, 0x80000000), negative(32769));
  EXPECT_EQ(video("vsub.s32.u32.u32 %r1, %r2.b3, %r3.b1", 0x05000000, 0x00000700), negative(2));
  EXPECT_EQ(video("vabsdiff.u32.s32.s32 %r1, %r2, %r3", negative(5), 7), 12U);
}

TEST(Video, ResultsSaturateToTheDestination) {
  EXPECT_EQ(video("vadd.u32.u32.u32 %r1, %r2, %r3", 0xffffffff, 1), 0U);
  EXPECT_EQ(video("vadd.u32.u32.u32.sat %r1, %r2, %r3", 0xffffffff, 1), 0xffffffffU);
  EXPECT_EQ(video("vsub.u32.u32.u32.sat %r1, %r2, %r3", 1, 2), 0U);
  EXPECT_EQ(video("vadd.s32.s32.s32.sat %r1, %r2, %r3", 0x7fffffff, 1), 0x7fffffffU);
  EXPECT_EQ(video("vadd.u32.u32.u32.sat %r1.b2, %r2, %r3, %r4", 200, 100, 0x11223344), 0x11ff3344U);
  EXPECT_EQ(video("vsub.s32.u32.u32.sat %r1.h0, %r2, %r3, %r4", 0, 40000, 0x11223344), 0x11228000U);
}

TEST(Video, ResultReplacesAPartOfTheThirdSource) {
  EXPECT_EQ(video("vadd.u32.u32.u32 %r1.h1, %r2, %r3, %r4", 0x10000, 5, 0x11223344), 0x00053344U);
  EXPECT_EQ(video("vmax.u32.u32.u32 %r1.b0, %r2, %r3, %r4", 3, 9, 0x11223344), 0x11223309U);
}

TEST(Video, SecondaryOperationUsesTheThirdSource) {
  EXPECT_EQ(video("vabsdiff.u32.s32.s32.add %r1, %r2, %r3, %r4", negative(5), 7, 10), 22U);
  EXPECT_EQ(video("vmin.s32.s32.s32.max %r1, %r2, %r3, %r4", negative(3), 2, negative(1)),
            negative(1));
  EXPECT_EQ(video("vmax.s32.s32.s32.min %r1, %r2, %r3, %r4", 4, 2, 3), 3U);
}

TEST(Video, ShiftsClampOrWrapTheirAmount) {
  EXPECT_EQ(video("vshl.u32.u32.u32.clamp %r1, %r2, %r3", 1, 40), 0U);
  EXPECT_EQ(video("vshl.u32.u32.u32.wrap %r1, %r2, %r3", 1, 40), 256U);
  EXPECT_EQ(video("vshr.s32.s32.u32.clamp %r1, %r2, %r3", 0x80000000, 99), 0xffffffffU);
  EXPECT_EQ(video("vshr.u32.u32.u32.clamp %r1, %r2, %r3", 0x80000000, 32), 0U);
  EXPECT_EQ(video("vshr.u32.u32.u32.wrap %r1, %r2, %r3", 0x80000000, 33), 0x40000000U);
  EXPECT_EQ(video("vshr.s32.s32.u32.wrap.add %r1, %r2.h1, %r3.b0, %r4", 0x80000000, 1, 5),
            negative(16384) + 5);
}

TEST(Video, MultiplyAddScalesNegatesAndSaturates) {
  EXPECT_EQ(video("vmad.s32.s32.s32 %r1, %r2, %r3, %r4", 200, 3, 40), 640U);
  EXPECT_EQ(video("vmad.s32.s32.s32.shr7 %r1, %r2, %r3, %r4", 200, 3, 40), 5U);
  EXPECT_EQ(video("vmad.u32.u32.u32.po %r1, %r2, %r3, %r4", 200, 3, 40), 641U);
  EXPECT_EQ(video("vmad.s32.s32.s32 %r1, -%r2, %r3, %r4", 200, 3, 40), negative(560));
  EXPECT_EQ(video("vmad.s32.s32.s32 %r1, %r2.b0, -%r3.h0, %r4", 200, 3, 40), 56U * 3 + 40);
  EXPECT_EQ(video("vmad.s32.u32.u32 %r1, %r2, %r3, -%r4", 200, 3, 40), 560U);
  EXPECT_EQ(video("vmad.u32.u32.u32.sat %r1, %r2, %r3, %r4", 0xffffffff, 0xffffffff, 0),
            0xffffffffU);
  EXPECT_EQ(video("vmad.s32.s32.s32.sat.shr15 %r1, %r2, %r3, %r4", 0x80000000, 0x80000000, 0),
            0x7fffffffU);
}

TEST(Video, ComparisonGivesOneOrZero) {
  EXPECT_EQ(video("vset.u32.u32.lt %r1, %r2, %r3", 3, 5), 1U);
  EXPECT_EQ(video("vset.s32.s32.lt %r1, %r2.b0, %r3", 0x80, 0), 1U);
  EXPECT_EQ(video("vset.u32.u32.lt %r1, %r2.b0, %r3", 0x80, 0), 0U);
  EXPECT_EQ(video("vset.u32.u32.ge.add %r1, %r2, %r3, %r4", 5, 5, 10), 11U);
}

TEST(Video, PartsAreRefusedElsewhere) {
  EXPECT_THAT(run("add.u32 %r1, %r2.b0, %r3;").finding(),
              testing::HasSubstr("a part or the negation of a register"));
  EXPECT_THAT(run("add.u32 %r1, -%r2, %r3;").finding(), testing::StartsWith("unsupported"));
  EXPECT_THAT(run("mov.b32 %r1.h0, %r2;").finding(), testing::StartsWith("unsupported"));
  EXPECT_THAT(run("vadd2.s32.s32.s32 %r1.h10, %r2.h32, %r3.h01, %r4;").finding(),
              testing::StartsWith("unsupported"));
}

}  // namespace
}  // namespace warpcheck::isa::test
