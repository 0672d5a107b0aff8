// f16 and bf16 instructions on the device.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

std::uint32_t half_result(const std::string& body) {
  const Result result = run(body + " st.global.u16 [%own], %h1;");
  EXPECT_EQ(result.finding(), "") << body;
  return result.at<std::uint16_t>(0);
}
std::uint32_t half_word(const std::string& body) {
  const Result result = run(body + " st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.finding(), "") << body;
  return result.at<std::uint32_t>(0);
}

TEST(Half, ArithmeticRoundsOnceToTheFormat) {
  EXPECT_EQ(half_result("mov.b16 %h2, 0x3c00; mov.b16 %h3, 0x1000; add.f16 %h1, %h2, %h3;"),
            0x3c00U);
  EXPECT_EQ(half_result("mov.b16 %h2, 0x3c00; mov.b16 %h3, 0x1400; add.f16 %h1, %h2, %h3;"),
            0x3c01U);
  EXPECT_EQ(half_result("mov.b16 %h2, 0x4200; mov.b16 %h3, 0x3e00; mul.f16 %h1, %h2, %h3;"),
            0x4480U);
  EXPECT_EQ(half_result("mov.b16 %h2, 0x7bff; add.rn.f16 %h1, %h2, %h2;"), 0x7c00U);
  EXPECT_EQ(half_result("mov.b16 %h2, 0x3f80; mov.b16 %h3, 0x4000; sub.bf16 %h1, %h2, %h3;"),
            0xbf80U);
}

TEST(Half, MultiplyAddIsFused) {
  // (1 + 2^-10)^2 - (1 + 2^-9) = 2^-20; with the product rounded first it would be 0.
  EXPECT_EQ(half_result("mov.b16 %h2, 0x3c01; mov.b16 %h3, 0xbc02; fma.rn.f16 %h1, %h2, %h2, %h3;"),
            0x10U);
}

TEST(Half, SaturationAndReluLimitTheResult) {
  const std::string minus_two = "mov.b16 %h2, 0xc000; mov.b16 %h3, 0x3c00;";
  EXPECT_EQ(half_result(minus_two + "mul.sat.f16 %h1, %h2, %h3;"), 0U);
  EXPECT_EQ(half_result(minus_two + "mul.sat.f16 %h1, %h2, %h2;"), 0x3c00U);
  EXPECT_EQ(half_result(minus_two + "fma.rn.relu.f16 %h1, %h2, %h3, %h3;"), 0U);
  EXPECT_EQ(half_result(minus_two + "fma.rn.relu.f16 %h1, %h2, %h2, %h3;"), 0x4500U);
  EXPECT_EQ(
      half_result("mov.b16 %h2, 0xc000; mov.b16 %h3, 0x3f80; fma.rn.relu.bf16 %h1, %h2, %h3, %h3;"),
      0U);
}

TEST(Half, FlushingTurnsSubnormalsIntoZeros) {
  EXPECT_EQ(half_result("mov.b16 %h2, 0x8001; mov.b16 %h3, 0x8000; add.f16 %h1, %h2, %h3;"),
            0x8001U);
  EXPECT_EQ(half_result("mov.b16 %h2, 0x8001; mov.b16 %h3, 0x8000; add.ftz.f16 %h1, %h2, %h3;"),
            0x8000U);
}

TEST(Half, PackedHalvesAreIndependent) {
  EXPECT_EQ(half_word("add.f16x2 %r1, 0x3c004000, 0x3c003c00;"), 0x40004200U);
  EXPECT_EQ(half_word("fma.rn.bf16x2 %r1, 0x3f804000, 0x40004000, 0x3f803f80;"), 0x404040a0U);
  EXPECT_EQ(half_word("neg.f16x2 %r1, 0x3c00c000;"), 0xbc004000U);
  EXPECT_EQ(half_word("abs.bf16x2 %r1, 0xbf80c000;"), 0x3f804000U);
  EXPECT_EQ(half_word("max.f16x2 %r1, 0x7e003c00, 0xc000c000;"), 0xc0003c00U);
  EXPECT_EQ(half_word("max.NaN.f16x2 %r1, 0x7e003c00, 0xc000c000;"), 0x7fff3c00U);
  EXPECT_EQ(half_word("min.xorsign.abs.f16x2 %r1, 0xc0003c00, 0x3c00c000;"), 0xbc00bc00U);
}

TEST(Half, TensorFillValueMakesAProductZero) {
  // Recorded on an H200: 0x7ff7 and 0xfff7 in a or b make the result +0, other NaNs stay NaN.
  const std::string one = "mov.b16 %h3, 0x3c00; mov.b16 %h2, ";
  EXPECT_EQ(half_result(one + "0x7ff7; fma.rn.oob.f16 %h1, %h2, %h3, %h3;"), 0U);
  EXPECT_EQ(half_result(one + "0xfff7; fma.rn.oob.bf16 %h1, %h3, %h2, %h3;"), 0U);
  EXPECT_EQ(half_result(one + "0x7ff7; fma.rn.oob.f16 %h1, %h3, %h3, %h2;"), 0x7fffU);
  EXPECT_EQ(half_result(one + "0x7ff6; fma.rn.oob.f16 %h1, %h2, %h3, %h3;"), 0x7fffU);
  EXPECT_EQ(half_result(one + "0x7ff7; fma.rn.f16 %h1, %h2, %h3, %h3;"), 0x7fffU);
}

TEST(Half, ComparisonsSetPredicates) {
  const std::string flags =
      " selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; or.b32 %r1, %r1, %r2;";
  EXPECT_EQ(half_word("setp.lt.f16x2 %p1|%p2, 0x3c00c000, 0xbc003c00;" + flags), 1U);
  EXPECT_EQ(half_word("setp.gtu.bf16x2 %p1|%p2, 0x7fc0c000, 0x3f803f80;" + flags), 2U);
  EXPECT_EQ(
      half_word("mov.b16 %h2, 0x7e00; setp.nan.f16 %p1, %h2, %h2; setp.ne.u32 %p2, 0, 0;" + flags),
      1U);
  EXPECT_EQ(half_word("mov.b16 %h2, 0x0001; mov.b16 %h3, 0x0000; setp.ne.u32 %p2, 0, 0;"
                      "setp.gt.f16 %p1, %h2, %h3;" +
                      flags),
            1U);
  EXPECT_EQ(half_word("mov.b16 %h2, 0x0001; mov.b16 %h3, 0x0000; setp.ne.u32 %p2, 0, 0;"
                      "setp.gt.ftz.f16 %p1, %h2, %h3;" +
                      flags),
            0U);
  EXPECT_EQ(half_word("mov.b16 %h2, 0x3c00; setp.ne.u32 %p2, 0, 0;"
                      "setp.eq.and.f16 %p1, %h2, %h2, !%p2;" +
                      flags),
            1U);
}

TEST(Half, ComparisonsSetValues) {
  EXPECT_EQ(half_word("set.lt.f16x2.f16x2 %r1, 0x3c00c000, 0xbc003c00;"), 0x00003c00U);
  EXPECT_EQ(half_word("set.lt.u32.f16x2 %r1, 0x3c00c000, 0xbc003c00;"), 0x0000ffffU);
  EXPECT_EQ(half_word("set.ge.bf16x2.bf16x2 %r1, 0x3f80c000, 0xbf803f80;"), 0x3f800000U);
  EXPECT_EQ(half_word("mov.b16 %h2, 0x3c00; set.eq.u32.f16 %r1, %h2, %h2;"), 0xffffffffU);
  EXPECT_EQ(half_result("mov.b16 %h2, 0x3c00; set.eq.f16.f16 %h1, %h2, %h2;"), 0x3c00U);
  EXPECT_EQ(half_result("mov.b16 %h2, 0x3c00; set.ne.s16.f16 %h1, %h2, %h2;"), 0U);
}

TEST(Half, ApproximateFunctionsAreExactWhereTheResultIs) {
  EXPECT_EQ(half_result("mov.b16 %h2, 0x4200; ex2.approx.f16 %h1, %h2;"), 0x4800U);  // 2^3
  EXPECT_EQ(half_result("mov.b16 %h2, 0x0000; tanh.approx.f16 %h1, %h2;"), 0U);
  EXPECT_EQ(half_word("ex2.approx.ftz.bf16x2 %r1, 0x3f800000;"), 0x40003f80U);
}

TEST(Half, UndefinedHalfDoesNotAffectTheOther) {
  Conditions conditions;
  conditions.in_initialized = false;
  const std::string half_known =
      "ld.global.u16 %h2, [%in]; mov.b16 %h3, 0x3c00; mov.b32 %r2, {%h3, %h2};"
      "add.f16x2 %r1, %r2, %r2; mov.b32 {%h4, %h5}, %r1; ";
  const Result low = run(half_known + "st.global.u16 [%own], %h4;", {1}, conditions);
  EXPECT_EQ(low.finding(), "");
  EXPECT_EQ(low.at<std::uint16_t>(0), 0x4000U);
  EXPECT_NE(run(half_known + "st.global.u16 [%own], %h5;", {1}, conditions).finding(), "");
}

}  // namespace
}  // namespace warpcheck::isa::test
