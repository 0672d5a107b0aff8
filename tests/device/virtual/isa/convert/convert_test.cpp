// cvt on the device: register widths, rounding, and definedness.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

/// The 64 bits of %d1 after `body`.
std::uint64_t converted_wide(const std::string& body) {
  const Result result = run(body + " st.global.u64 [%own], %d1;");
  EXPECT_EQ(result.finding(), "") << body;
  return result.at<std::uint64_t>(0);
}
std::uint32_t converted_word(const std::string& body) {
  const Result result = run(body + " st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.finding(), "") << body;
  return result.at<std::uint32_t>(0);
}
std::uint32_t converted_half(const std::string& body) {
  const Result result = run(body + " st.global.u16 [%own], %h1;");
  EXPECT_EQ(result.finding(), "") << body;
  return result.at<std::uint16_t>(0);
}
std::string single(float value) {
  char text[16];
  std::snprintf(text, sizeof text, "0f%08X", std::bit_cast<std::uint32_t>(value));
  return text;
}

TEST(Convert, WideningExtendsByTheSignOfTheSource) {
  EXPECT_EQ(converted_wide("mov.u32 %r2, 0x80000001; cvt.s64.s32 %d1, %r2;"), 0xffffffff80000001U);
  EXPECT_EQ(converted_wide("mov.u32 %r2, 0x80000001; cvt.u64.s32 %d1, %r2;"), 0xffffffff80000001U);
  EXPECT_EQ(converted_wide("mov.u32 %r2, 0x80000001; cvt.s64.u32 %d1, %r2;"), 0x80000001U);
  EXPECT_EQ(converted_word("mov.u16 %h1, 0x8000; cvt.s32.s16 %r1, %h1;"), 0xffff8000U);
  EXPECT_EQ(converted_word("mov.u16 %h1, 0x8000; cvt.s32.u16 %r1, %h1;"), 0x8000U);
}

TEST(Convert, NarrowResultIsExtendedToItsRegister) {
  EXPECT_EQ(converted_word("mov.u32 %r2, 0x1234fffe; cvt.s8.s32 %r1, %r2;"), 0xfffffffeU);
  EXPECT_EQ(converted_word("mov.u32 %r2, 0x1234fffe; cvt.u8.u32 %r1, %r2;"), 0xfeU);
  EXPECT_EQ(converted_half("mov.u32 %r2, 0x80; cvt.s8.u32 %h1, %r2;"), 0xff80U);
  EXPECT_EQ(converted_wide("mov.u32 %r2, 0x8000; cvt.s16.s32 %d1, %r2;"), 0xffffffffffff8000U);
  EXPECT_EQ(converted_word("mov.f32 %f1, " + single(-3.7F) + "; cvt.rzi.s8.f32 %r1, %f1;"),
            0xfffffffdU);
}

TEST(Convert, LowBitsOfAWideSourceCount) {
  EXPECT_EQ(converted_word("mov.u32 %r2, 0xabcd00ff; cvt.s32.s8 %r1, %r2;"), 0xffffffffU);
  EXPECT_EQ(converted_wide("mov.u64 %d2, 0x123456789; cvt.u64.u32 %d1, %d2;"), 0x23456789U);
  EXPECT_EQ(converted_word("mov.u64 %d2, 0xffff0003; cvt.rn.f32.u16 %f1, %d2; mov.b32 %r1, %f1;"),
            std::bit_cast<std::uint32_t>(3.0F));
}

TEST(Convert, SaturationLimitsToTheDestination) {
  EXPECT_EQ(converted_word("mov.u32 %r2, 300; cvt.sat.u8.u32 %r1, %r2;"), 255U);
  EXPECT_EQ(converted_word("mov.u32 %r2, -300; cvt.sat.s8.s32 %r1, %r2;"), 0xffffff80U);
  EXPECT_EQ(converted_word("mov.u32 %r2, -1; cvt.sat.u32.s32 %r1, %r2;"), 0U);
  EXPECT_EQ(converted_word("mov.u32 %r2, -1; cvt.sat.s32.u32 %r1, %r2;"), 0x7fffffffU);
  EXPECT_EQ(converted_word("mov.f32 %f1, " + single(1.5F) +
                           "; cvt.sat.f32.f32 %f2, %f1; mov.b32 %r1, %f2;"),
            std::bit_cast<std::uint32_t>(1.0F));
}

TEST(Convert, FloatToIntegerFollowsItsRoundingAndClamps) {
  const auto of = [](const std::string& rounding, float value) {
    return static_cast<std::int32_t>(converted_word("mov.f32 %f1, " + single(value) + "; cvt." +
                                                    rounding + ".s32.f32 %r1, %f1;"));
  };
  EXPECT_EQ(of("rni", 2.5F), 2);
  EXPECT_EQ(of("rni", 3.5F), 4);
  EXPECT_EQ(of("rzi", -2.9F), -2);
  EXPECT_EQ(of("rmi", -2.1F), -3);
  EXPECT_EQ(of("rpi", 2.1F), 3);
  EXPECT_EQ(of("rzi", 1e20F), 2147483647);
  EXPECT_EQ(of("rzi", -1e20F), -2147483647 - 1);
  EXPECT_EQ(converted_word("mov.f32 %f1, 0f7FC00000; cvt.rzi.s32.f32 %r1, %f1;"), 0U);
  EXPECT_EQ(converted_wide("mov.f64 %e1, 0dC000000000000000; cvt.rzi.s64.f64 %d1, %e1;"),
            static_cast<std::uint64_t>(-2));
}

TEST(Convert, IntegerToFloatFollowsItsRounding) {
  const auto of = [](const std::string& rounding) {
    return converted_word("mov.u32 %r2, 16777217; cvt." + rounding +
                          ".f32.u32 %f1, %r2; mov.b32 %r1, %f1;");
  };
  EXPECT_EQ(of("rn"), std::bit_cast<std::uint32_t>(16777216.0F));
  EXPECT_EQ(of("rp"), std::bit_cast<std::uint32_t>(16777218.0F));
  EXPECT_EQ(of("rz"), std::bit_cast<std::uint32_t>(16777216.0F));
  EXPECT_EQ(converted_word("mov.u32 %r2, -5; cvt.rn.f32.s32 %f1, %r2; mov.b32 %r1, %f1;"),
            std::bit_cast<std::uint32_t>(-5.0F));
  EXPECT_EQ(
      converted_wide("mov.u64 %d2, 0xffffffffffffffff; cvt.rn.f64.u64 %e1, %d2; mov.b64 %d1, %e1;"),
      std::bit_cast<std::uint64_t>(0x1p64));
}

TEST(Convert, HalvesAreExactInSinglesAndRoundedBack) {
  EXPECT_EQ(converted_word("mov.u16 %h1, 0xc248; cvt.f32.f16 %f1, %h1; mov.b32 %r1, %f1;"),
            std::bit_cast<std::uint32_t>(-3.140625F));
  EXPECT_EQ(converted_half("mov.f32 %f1, " + single(65519.0F) + "; cvt.rn.f16.f32 %h1, %f1;"),
            0x7bffU);
  EXPECT_EQ(converted_half("mov.f32 %f1, " + single(65520.0F) + "; cvt.rn.f16.f32 %h1, %f1;"),
            0x7c00U);
  EXPECT_EQ(converted_half("mov.f32 %f1, " + single(65520.0F) + "; cvt.rz.f16.f32 %h1, %f1;"),
            0x7bffU);
  EXPECT_EQ(converted_half("mov.f32 %f1, " + single(1.00390625F) + "; cvt.rn.bf16.f32 %h1, %f1;"),
            0x3f80U);
  EXPECT_EQ(converted_half("mov.f32 %f1, " + single(-2.0F) + "; cvt.rn.relu.bf16.f32 %h1, %f1;"),
            0U);
  EXPECT_EQ(converted_word("mov.u16 %h1, 0x3fc0; cvt.f32.bf16 %f1, %h1; mov.b32 %r1, %f1;"),
            std::bit_cast<std::uint32_t>(1.5F));
  EXPECT_EQ(converted_wide("mov.u16 %h1, 0x0001; cvt.f64.f16 %e1, %h1; mov.b64 %d1, %e1;"),
            std::bit_cast<std::uint64_t>(0x1p-24));
}

TEST(Convert, FirstSourceOfAPairIsTheUpperHalf) {
  const std::string sources =
      "mov.f32 %f1, " + single(1.0F) + "; mov.f32 %f2, " + single(-2.0F) + ";";
  EXPECT_EQ(converted_word(sources + "cvt.rn.f16x2.f32 %r1, %f1, %f2;"), 0x3c00c000U);
  EXPECT_EQ(converted_word(sources + "cvt.rn.bf16x2.f32 %r1, %f1, %f2;"), 0x3f80c000U);
  EXPECT_EQ(converted_word(sources + "cvt.rn.relu.f16x2.f32 %r1, %f1, %f2;"), 0x3c000000U);
  // e4m3: 1.0 is 0x38, -2.0 is 0xc0; e5m2: 0x3c and 0xc0
  EXPECT_EQ(converted_half(sources + "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;"), 0x38c0U);
  EXPECT_EQ(converted_half(sources + "cvt.rn.satfinite.e5m2x2.f32 %h1, %f1, %f2;"), 0x3cc0U);
  EXPECT_EQ(converted_half("mov.u32 %r2, 0x3c00c000; cvt.rn.satfinite.e4m3x2.f16x2 %h1, %r2;"),
            0x38c0U);
  EXPECT_EQ(converted_word("mov.u16 %h1, 0x38c0; cvt.rn.f16x2.e4m3x2 %r1, %h1;"), 0x3c00c000U);
  EXPECT_EQ(converted_half("mov.f32 %f1, " + single(1e9F) +
                           "; cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f1;"),
            0x7e7eU);  // 448
}

TEST(Convert, Tf32KeepsTenFractionBits) {
  EXPECT_EQ(converted_word("mov.b32 %f1, 0f3F801000; cvt.rna.tf32.f32 %r1, %f1;"), 0x3f802000U);
  EXPECT_EQ(converted_word("mov.b32 %f1, 0f3F800FFF; cvt.rna.tf32.f32 %r1, %f1;"), 0x3f800000U);
}

// The manual leaves the bits of NaNs open; these are an H200's.
TEST(Convert, NansHaveTheBitsOfAGpu) {
  EXPECT_EQ(converted_half("mov.f64 %e1, 0d7FF504DD6CD6AD1E; cvt.rn.f16.f64 %h1, %e1;"), 0x7f41U);
  EXPECT_EQ(converted_half("mov.f64 %e1, 0dFFFEE21CDDCC3365; cvt.rn.bf16.f64 %h1, %e1;"), 0xfff7U);
  EXPECT_EQ(
      converted_word("mov.f64 %e1, 0d7FF6B938FB0ACAF4; cvt.rz.f32.f64 %f1, %e1; mov.b32 %r1, %f1;"),
      0x7ff5c9c7U);
  EXPECT_EQ(
      converted_word("mov.f64 %e1, 0dFFF2D4A9D2413A0C; cvt.rn.f32.f64 %f1, %e1; mov.b32 %r1, %f1;"),
      0xffd6a54eU);
  EXPECT_EQ(converted_word("mov.b32 %f1, 0f7FA1A8AF; cvt.f32.f32 %f2, %f1; mov.b32 %r1, %f2;"),
            0x7fa1a8afU);
  EXPECT_EQ(converted_wide("mov.b32 %f1, 0f7FA03E18; cvt.ftz.f64.f32 %e1, %f1; mov.b64 %d1, %e1;"),
            0x7fffffffe0000000U);
  EXPECT_EQ(converted_word("mov.b32 %f1, 0fFFDBDBAA; cvt.rn.tf32.f32 %r1, %f1;"), 0x7fffe000U);
  EXPECT_EQ(converted_word("mov.b32 %f1, 0fFF8FAB06; cvt.rna.tf32.f32 %r1, %f1;"), 0xff8fa000U);
  EXPECT_EQ(converted_word("mov.b16 %h1, 0xffa5; cvt.f32.bf16 %f1, %h1; mov.b32 %r1, %f1;"),
            0xffa50000U);
}

TEST(Convert, FlushingDoesNotApplyToHalfOperands) {
  EXPECT_EQ(converted_half("mov.b32 %f1, 0f80000001; cvt.rm.ftz.f16.f32 %h1, %f1;"), 0x8001U);
  EXPECT_EQ(converted_word("mov.b32 %f1, 0f00000001; cvt.rpi.ftz.s32.f32 %r1, %f1;"), 0U);
  EXPECT_EQ(converted_half("mov.b32 %f1, 0f00000001; cvt.rpi.ftz.s16.f32 %h1, %f1;"), 0U);
}

TEST(Convert, PackingSaturatesAndShiftsTheThirdOperand) {
  EXPECT_EQ(converted_word("cvt.pack.sat.s16.s32 %r1, 40000, -40000;"), 0x7fff8000U);
  EXPECT_EQ(converted_word("cvt.pack.sat.u8.s32.b32 %r1, 300, -5, 0x1234;"), 0x1234ff00U);
  EXPECT_EQ(converted_word("cvt.pack.sat.u4.s32.b32 %r1, 20, 3, 0xabc;"), 0xabcf3U);
}

TEST(Convert, TruncationRemovesUndefinedUpperBits) {
  // The upper 32 bits of %d2 are undefined, the lower ones are defined.
  Conditions conditions;
  conditions.in_initialized = false;
  const std::string half_known = "ld.global.u32 %r5, [%in]; mov.b64 %d2, {7, %r5}; ";
  const Result narrow =
      run(half_known + "cvt.u32.u64 %r1, %d2; st.global.u32 [%own], %r1;", {1}, conditions);
  EXPECT_EQ(narrow.finding(), "");
  EXPECT_EQ(narrow.at<std::uint32_t>(0), 7U);
  EXPECT_EQ(run(half_known + "cvt.u8.u64 %r1, %d2; st.global.u32 [%own], %r1;", {1}, conditions)
                .finding(),
            "");
  EXPECT_NE(run(half_known + "cvt.u64.u64 %d1, %d2; st.global.u64 [%own], %d1;", {1}, conditions)
                .finding(),
            "");
}

TEST(Convert, OnlySignExtensionSpreadsAnUndefinedSign) {
  Conditions conditions;
  conditions.in_initialized = false;
  const std::string unknown = "ld.global.u16 %h1, [%in]; ";
  EXPECT_EQ(run(unknown + "cvt.u32.u16 %r1, %h1; shr.u32 %r1, %r1, 16; st.global.u32 [%own], %r1;",
                {1}, conditions)
                .finding(),
            "");
  EXPECT_NE(run(unknown + "cvt.s32.s16 %r1, %h1; shr.u32 %r1, %r1, 16; st.global.u32 [%own], %r1;",
                {1}, conditions)
                .finding(),
            "");
}

TEST(Convert, BrainFloatsConvertToAndFromBytes) {
  // 0xc0e0 is -7.0, 0x40f8 is 7.75, 0x4380 is 256, 0xc380 is -256.
  const auto to_byte = [](const std::string& type, const std::string& bits) {
    return converted_word(".reg .b8 %c; mov.b16 %h1, " + bits + "; cvt.rzi." + type +
                          ".bf16 %c, %h1; cvt.u32." + (type == "s8" ? "s8" : "u8") + " %r1, %c;");
  };
  EXPECT_EQ(to_byte("s8", "0xc0e0"), static_cast<std::uint32_t>(-7));
  EXPECT_EQ(to_byte("s8", "0x40f8"), 7U);
  EXPECT_EQ(to_byte("s8", "0x4380"), 127U);
  EXPECT_EQ(to_byte("s8", "0xc380"), static_cast<std::uint32_t>(-128));
  EXPECT_EQ(to_byte("u8", "0xc0e0"), 0U);
  EXPECT_EQ(to_byte("u8", "0x4380"), 255U);
  EXPECT_EQ(converted_half("mov.u16 %h2, 0xfff9; cvt.rn.bf16.s8 %h1, %h2;"), 0xc0e0U);
}

}  // namespace
}  // namespace warpcheck::isa::test
