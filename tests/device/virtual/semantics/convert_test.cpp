// Conversions against MPFR and against exact integers.
#include "device/virtual/semantics/convert.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "device/virtual/semantics/integer.hpp"
#include "tests/device/virtual/semantics/exact.hpp"
#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::exactly;
using testing::Operation;
using testing::RandomValues;

constexpr int kConvertRounds = 20000;

bool same_value(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) ||
         std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

template <class D, class S, Rounding R>
void check_float_to_float() {
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < kConvertRounds; ++i) {
    S a = random.floating<S>();
    // Every other value is at or beside a tie of the destination.
    if (i % 2 == 0 && sizeof(S) > sizeof(D)) {
      constexpr int dropped = Format<S>::fraction_bits - Format<D>::fraction_bits;
      const auto tie = static_cast<BitsOf<S>>(BitsOf<S>{1} << (dropped > 0 ? dropped - 1 : 0));
      a = random.near(from_bits<S>(static_cast<BitsOf<S>>((to_bits(a) & ~(2 * tie - 1)) | tie)));
    }
    const double want = exactly<D>(Operation::assign, R, widen(a));
    ASSERT_TRUE(same_value(widen(convert<D, R>(a)), want))
        << std::hexfloat << double{widen(a)} << " expected " << want;
  }
}
template <class D, class S>
void check_float_to_float() {
  check_float_to_float<D, S, Rounding::rn>();
  check_float_to_float<D, S, Rounding::rz>();
  check_float_to_float<D, S, Rounding::rm>();
  check_float_to_float<D, S, Rounding::rp>();
}
template <class S>
void check_float_to_all() {
  check_float_to_float<f16, S>();
  check_float_to_float<bf16, S>();
  check_float_to_float<float, S>();
  check_float_to_float<double, S>();
}

TEST(ConvertFloat, RoundsCorrectlyFromF64) { check_float_to_all<double>(); }
TEST(ConvertFloat, RoundsCorrectlyFromF32) { check_float_to_all<float>(); }
TEST(ConvertFloat, RoundsCorrectlyFromF16) { check_float_to_all<f16>(); }
TEST(ConvertFloat, RoundsCorrectlyFromBf16) { check_float_to_all<bf16>(); }

TEST(ConvertFloat, WritesCanonicalNaNAndWidensPayloads) {
  EXPECT_EQ(to_bits(convert<float>(std::bit_cast<double>(0xfff8000000000001ULL))), 0x7fffffffU);
  EXPECT_EQ(convert<f16>(std::bit_cast<float>(0xff800001U)).bits, 0x7fff);
  EXPECT_EQ(to_bits(convert<float>(f16{0xfe00})), 0x7fffffffU);
  EXPECT_EQ(to_bits(convert<double>(std::bit_cast<float>(0x7fffffffU))), 0x7fffffffe0000000ULL);
}

TEST(ConvertFloat, FlushesOnlySinglePrecision) {
  EXPECT_EQ(to_bits(convert<float, Rounding::rn, true>(-0x1p-140)), 0x80000000U);
  EXPECT_EQ((convert<double, Rounding::rn, true>(0x1p-149F)), 0.0);
  EXPECT_EQ((convert<f16, Rounding::rn, true>(0x1p-24F)).bits, 1)
      << "an f16 subnormal is not flushed";
  EXPECT_EQ((convert<f16, Rounding::rp, true>(0x1p-149F)).bits, 0);
  EXPECT_EQ((convert<f16, Rounding::rp, false>(0x1p-149F)).bits, 1);
}

TEST(ConvertFloat, Saturates) {
  EXPECT_EQ((convert<float, Rounding::rn, false, true>(2.5F)), 1.0F);
  EXPECT_EQ(to_bits(convert<float, Rounding::rn, false, true>(-0.0F)), 0U);
  EXPECT_EQ(to_bits(convert<float, Rounding::rn, false, true>(std::nanf(""))), 0U);
  EXPECT_EQ((convert<f16, Rounding::rn, false, true>(0.5F)).bits, 0x3800);
}

TEST(Tf32, RoundsTiesAwayFromZero) {
  const auto rna = [](std::uint32_t bits) {
    return downcast<tf32, Rounding::rna>(std::bit_cast<float>(bits)).bits;
  };
  EXPECT_EQ(rna(0x3f800fff), 0x3f800000U);
  EXPECT_EQ(rna(0x3f801000), 0x3f802000U) << "tie, away from zero";
  EXPECT_EQ(rna(0xbf801000), 0xbf802000U);
  EXPECT_EQ(rna(0x3f803000), 0x3f804000U);
  EXPECT_EQ(rna(0x00001000), 0x00002000U) << "subnormal";
  EXPECT_EQ(rna(0x7f7fffff), 0x7f800000U) << "overflows";
  EXPECT_EQ((downcast<tf32, Rounding::rna, false, true>(std::bit_cast<float>(0x7f7fffffU)).bits),
            0x7f7fe000U);
  EXPECT_EQ((downcast<tf32, Rounding::rn>(std::bit_cast<float>(0x3f801000U)).bits), 0x3f800000U)
      << "tie to even";
  EXPECT_EQ((downcast<tf32, Rounding::rz, true>(-1.0F).bits), 0U);
  // Rounding away from zero is adding half a unit and truncating.
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < kConvertRounds; ++i) {
    const float a = random.floating<float>();
    if (is_nan(a)) continue;
    const std::uint32_t magnitude = to_bits(a) & 0x7fffffff;
    const std::uint32_t rounded =
        magnitude >= 0x7f800000 ? magnitude : (magnitude + 0x1000) & ~0x1fffU;
    ASSERT_EQ(rna(to_bits(a)), rounded | (to_bits(a) & 0x80000000));
  }
}

template <class D, IntegerRounding I, class S>
void check_to_integer() {
  RandomValues random;
  SCOPED_TRACE(random.trace());
  using Limits = std::numeric_limits<D>;
  for (int i = 0; i < kConvertRounds; ++i) {
    S a = random.floating<S>();
    // A half-integer, or a value beside the ends of D's range.
    if constexpr (!std::same_as<S, double>) {
      if (i % 3 == 0)
        a = narrow<S, Rounding::rn>(static_cast<double>(random.integer<std::int32_t>()) / 2);
      if (i % 3 == 1) a = random.near(narrow<S, Rounding::rn>(static_cast<double>(Limits::max())));
    } else {
      if (i % 3 == 0) a = static_cast<double>(random.integer<std::int64_t>()) / 2;
      if (i % 3 == 1)
        a = random.near(static_cast<double>(random.below(2) != 0 ? Limits::max() : Limits::min()));
    }
    const double value = widen(a);
    const D got = to_integer<D, I>(a);
    if (std::isnan(value)) continue;
    // The oracle compares exact integers: values beyond 2^64 are integers.
    const double bounded = std::fmax(std::fmin(value, 0x1p65), -0x1p65);
    auto whole = static_cast<int128>(bounded);  // rounds toward zero
    const double rest = bounded - static_cast<double>(whole);
    const bool odd = (whole & 1) != 0;
    if (I == IntegerRounding::rmi && rest < 0) --whole;
    if (I == IntegerRounding::rpi && rest > 0) ++whole;
    if (I == IntegerRounding::rni) {
      if (rest > 0.5 || (rest == 0.5 && odd)) ++whole;
      if (rest < -0.5 || (rest == -0.5 && odd)) --whole;
    }
    const int128 high = Limits::max();
    const int128 low = Limits::min();
    const D want = static_cast<D>(whole > high ? high : whole < low ? low : whole);
    ASSERT_EQ(got, want) << std::hexfloat << value;
  }
}
template <class D, class S>
void check_to_integer_all() {
  check_to_integer<D, IntegerRounding::rni, S>();
  check_to_integer<D, IntegerRounding::rzi, S>();
  check_to_integer<D, IntegerRounding::rmi, S>();
  check_to_integer<D, IntegerRounding::rpi, S>();
}
template <class S>
void check_to_every_integer() {
  check_to_integer_all<std::int8_t, S>();
  check_to_integer_all<std::uint8_t, S>();
  check_to_integer_all<std::int16_t, S>();
  check_to_integer_all<std::uint16_t, S>();
  check_to_integer_all<std::int32_t, S>();
  check_to_integer_all<std::uint32_t, S>();
  check_to_integer_all<std::int64_t, S>();
  check_to_integer_all<std::uint64_t, S>();
}

TEST(ToInteger, RoundsAndClampsF64) { check_to_every_integer<double>(); }
TEST(ToInteger, RoundsAndClampsF32) { check_to_every_integer<float>(); }
TEST(ToInteger, RoundsAndClampsF16) { check_to_every_integer<f16>(); }
TEST(ToInteger, RoundsAndClampsBf16) { check_to_every_integer<bf16>(); }

TEST(ToInteger, ConvertsNaNAsInTheManual) {
  constexpr auto rzi = IntegerRounding::rzi;
  const float f = std::nanf("");
  const double d = std::nan("");
  EXPECT_EQ((to_integer<std::int32_t, rzi>(f)), 0);
  EXPECT_EQ((to_integer<std::uint8_t, rzi>(f)), 0);
  EXPECT_EQ((to_integer<std::int16_t, rzi>(f16{0x7fff})), 0);
  EXPECT_EQ((to_integer<std::int64_t, rzi>(f)), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ((to_integer<std::uint64_t, rzi>(f)), 0x8000000000000000ULL);
  EXPECT_EQ((to_integer<std::int32_t, rzi>(d)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((to_integer<std::uint32_t, rzi>(d)), 0x80000000U);
}

TEST(ToInteger, FlushesSubnormalsFirst) {
  EXPECT_EQ((to_integer<std::int32_t, IntegerRounding::rpi, true>(0x1p-149F)), 0);
  EXPECT_EQ((to_integer<std::int32_t, IntegerRounding::rpi, false>(0x1p-149F)), 1);
}

template <class D, Rounding R, class S>
void check_from_integer() {
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < kConvertRounds / 4; ++i) {
    S a = random.integer<S>();
    // Every other value is beside a power of two or a tie.
    if (i % 2 == 0)
      a = static_cast<S>((std::uint64_t{1} << random.below(64)) +
                         (std::uint64_t{1} << random.below(64)) + random.below(5) - 2);
    const bool negative = a < S{0};
    const auto bits = static_cast<std::uint64_t>(a);
    const double want = exactly(negative ? std::uint64_t{0} - bits : bits, negative, R,
                                Format<D>::exponent_bits, Format<D>::fraction_bits);
    ASSERT_TRUE(same_value(widen(from_integer<D, R>(a)), want)) << a;
  }
}
template <class D, class S>
void check_from_integer_all() {
  check_from_integer<D, Rounding::rn, S>();
  check_from_integer<D, Rounding::rz, S>();
  check_from_integer<D, Rounding::rm, S>();
  check_from_integer<D, Rounding::rp, S>();
}
template <class D>
void check_from_every_integer() {
  check_from_integer_all<D, std::int8_t>();
  check_from_integer_all<D, std::uint16_t>();
  check_from_integer_all<D, std::int32_t>();
  check_from_integer_all<D, std::uint32_t>();
  check_from_integer_all<D, std::int64_t>();
  check_from_integer_all<D, std::uint64_t>();
}

TEST(FromInteger, RoundsCorrectlyToF64) { check_from_every_integer<double>(); }
TEST(FromInteger, RoundsCorrectlyToF32) { check_from_every_integer<float>(); }
TEST(FromInteger, RoundsCorrectlyToF16) { check_from_every_integer<f16>(); }
TEST(FromInteger, RoundsCorrectlyToBf16) { check_from_every_integer<bf16>(); }

TEST(ToIntegral, RoundsInPlace) {
  EXPECT_EQ((to_integral<IntegerRounding::rni>(2.5F)), 2.0F);
  EXPECT_EQ((to_integral<IntegerRounding::rni>(3.5)), 4.0);
  EXPECT_EQ(to_bits(to_integral<IntegerRounding::rpi>(-0.5F)), 0x80000000U);
  EXPECT_EQ((to_integral<IntegerRounding::rmi>(f16{0xb800}).bits), 0xbc00);
  EXPECT_EQ((to_integral<IntegerRounding::rzi, true>(0x1p-149F)), 0.0F);
  EXPECT_EQ((to_integral<IntegerRounding::rpi, false, true>(7.1F)), 1.0F);
  EXPECT_EQ((to_integral<IntegerRounding::rzi>(0x1.fffffep127F)), 0x1.fffffep127F);
}

TEST(ConvertInteger, ExtendsTruncatesAndClamps) {
  EXPECT_EQ((convert_integer<std::int64_t>(std::int32_t{-2})), -2);
  EXPECT_EQ((convert_integer<std::uint64_t>(std::int32_t{-2})), 0xfffffffffffffffeULL);
  EXPECT_EQ((convert_integer<std::uint64_t>(std::uint32_t{0xfffffffe})), 0xfffffffeULL);
  EXPECT_EQ((convert_integer<std::int8_t>(std::int32_t{0x180})), -128);
  EXPECT_EQ((convert_integer<std::int8_t, true>(std::int32_t{0x180})), 127);
  EXPECT_EQ((convert_integer<std::uint8_t, true>(std::int32_t{-1})), 0);
  EXPECT_EQ((convert_integer<std::int32_t, true>(std::uint64_t{0xffffffffffffffff})), 0x7fffffff);
  EXPECT_EQ((convert_integer<std::uint16_t, true>(std::int64_t{-5})), 0);
}

TEST(PackedConversion, PutsTheFirstOperandInTheUpperHalf) {
  EXPECT_EQ((downcast2<f16, Rounding::rn>(1.0F, 2.0F)), 0x3c004000U);
  EXPECT_EQ((downcast2<bf16, Rounding::rz>(1.0F, -2.0F)), 0x3f80c000U);
  EXPECT_EQ((downcast2<bf16, Rounding::rn, true>(1.0F, -2.0F)), 0x3f800000U);
  EXPECT_EQ((downcast2<e4m3, Rounding::rn, false, true>(1.0F, 1000.0F)), 0x387e);
  EXPECT_EQ((downcast2<e5m2, Rounding::rn, false, true>(-1.0F, 1e9F)), 0xbc7b);
  EXPECT_EQ((downcast2<e4m3>(0x3c006000U)), 0x387e) << "f16 1 and 512, above 448";
  EXPECT_EQ(upcast2<e4m3>(0x387e), 0x3c005f00U) << "1 and 448";
  EXPECT_EQ(upcast2<e5m2>(0xbc01), 0xbc000100U) << "-1 and 2^-16";
  EXPECT_EQ(upcast2<e4m3>(0x7fff), 0x7fff7fffU);
  EXPECT_EQ((upcast2<e4m3, true>(0xb838)), 0x00003c00U);
}

TEST(Downcast, SaturatesToFiniteNumbersWithSatfinite) {
  EXPECT_EQ((downcast<f16, Rounding::rn>(1e6F).bits), 0x7c00);
  EXPECT_EQ((downcast<f16, Rounding::rn, false, true>(-1e6F).bits), 0xfbff);
  EXPECT_EQ(
      (downcast<bf16, Rounding::rn, false, true>(std::numeric_limits<float>::infinity()).bits),
      0x7f7f);
  EXPECT_EQ((downcast<f16, Rounding::rz>(1e6F).bits), 0x7bff);
  EXPECT_EQ((downcast<f16, Rounding::rz>(std::numeric_limits<float>::infinity()).bits), 0x7c00);
  EXPECT_EQ((downcast<f16, Rounding::rn, true, true>(std::nanf("")).bits), 0x7fff);
}

TEST(ConvertPack, ClampsAndPacks) {
  EXPECT_EQ((convert_pack<16, true>(40000, -40000)), 0x7fff8000U);
  EXPECT_EQ((convert_pack<16, false>(70000, -1)), 0xffff0000U);
  EXPECT_EQ((convert_pack<8, false>(300, 7, 0x12345678)), 0x5678ff07U);
  EXPECT_EQ((convert_pack<8, true>(-300, 7, 0x12345678)), 0x56788007U);
  EXPECT_EQ((convert_pack<4, true>(9, -9, 0xff)), 0xff78U);
  EXPECT_EQ((convert_pack<2, false>(5, 2, 0x1)), 0x1eU);
}

}  // namespace
}  // namespace warpcheck::semantics
