// Approximate functions: the manual's tables of special values, and its error bounds against MPFR.
#include "device/virtual/semantics/approx.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/device/virtual/semantics/exact.hpp"
#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::error_of;
using testing::Operation;
using testing::RandomValues;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float subnormal = 0x1p-140F;
constexpr std::uint32_t canonical = 0x7fffffff;

struct Row {
  float input;
  std::uint32_t result;
};

template <class Function>
void expect_rows(Function function, std::initializer_list<Row> rows) {
  for (const Row row : rows)
    EXPECT_EQ(to_bits(function(row.input)), row.result) << std::hexfloat << "of " << row.input;
}

TEST(ApproximateFunctions, GiveTheManualsSpecialValues) {
  const std::uint32_t plus_inf = to_bits(inf);
  const std::uint32_t minus_inf = to_bits(-inf);
  const std::uint32_t one = to_bits(1.0F);
  const std::uint32_t minus_zero = 0x80000000;
  expect_rows([](float a) { return rcp_approx<true>(a); }, {{-inf, minus_zero},
                                                            {-subnormal, minus_inf},
                                                            {-0.0F, minus_inf},
                                                            {0.0F, plus_inf},
                                                            {subnormal, plus_inf},
                                                            {inf, 0},
                                                            {nan, canonical}});
  expect_rows([](float a) { return sqrt_approx(a); }, {{-inf, canonical},
                                                       {-1.0F, canonical},
                                                       {-0.0F, minus_zero},
                                                       {0.0F, 0},
                                                       {inf, plus_inf},
                                                       {nan, canonical}});
  expect_rows([](float a) { return sqrt_approx<true>(a); },
              {{-subnormal, minus_zero}, {subnormal, 0}});
  expect_rows([](float a) { return rsqrt_approx(a); }, {{-inf, canonical},
                                                        {-1.0F, canonical},
                                                        {-0.0F, minus_inf},
                                                        {0.0F, plus_inf},
                                                        {inf, 0},
                                                        {nan, canonical}});
  expect_rows([](float a) { return rsqrt_approx<true>(a); },
              {{-subnormal, minus_inf}, {subnormal, plus_inf}});
  expect_rows(
      [](float a) { return sin_approx(a); },
      {{-inf, canonical}, {-0.0F, minus_zero}, {0.0F, 0}, {inf, canonical}, {nan, canonical}});
  expect_rows([](float a) { return sin_approx<true>(a); }, {{-subnormal, minus_zero}});
  expect_rows([](float a) { return cos_approx(a); },
              {{-inf, canonical}, {-0.0F, one}, {0.0F, one}, {inf, canonical}, {nan, canonical}});
  expect_rows([](float a) { return lg2_approx(a); }, {{-inf, canonical},
                                                      {-1.0F, canonical},
                                                      {-0.0F, minus_inf},
                                                      {0.0F, minus_inf},
                                                      {inf, plus_inf},
                                                      {nan, canonical},
                                                      {subnormal, to_bits(-140.0F)}});
  expect_rows([](float a) { return lg2_approx<true>(a); },
              {{subnormal, minus_inf}, {-subnormal, minus_inf}});
  expect_rows(
      [](float a) { return ex2_approx(a); },
      {{-inf, 0}, {-0.0F, one}, {0.0F, one}, {inf, plus_inf}, {nan, canonical}, {-140.0F, 1 << 9}});
  expect_rows([](float a) { return ex2_approx<true>(a); }, {{subnormal, one}, {-140.0F, 0}});
  expect_rows([](float a) { return tanh_approx(a); }, {{-inf, to_bits(-1.0F)},
                                                       {-0.0F, minus_zero},
                                                       {0.0F, 0},
                                                       {inf, one},
                                                       {nan, canonical},
                                                       {subnormal, to_bits(subnormal)}});
}

TEST(ApproximateFunctions, StayWithinTheManualsBounds) {
  RandomValues random;
  SCOPED_TRACE(random.trace());
  const auto near_one = [&random] {
    return static_cast<float>(random.bits() >> 40) * 0x1p-23F;
  };  // [0, 2)
  for (int i = 0; i < 5000; ++i) {
    const float any = random.floating<float>();
    const float positive = absolute(any);
    const auto finite = [](float a) { return absolute(a) < inf && absolute(a) >= 0x1p-126F; };
    const float reciprocal = rcp_approx(any);
    if (finite(any) && finite(reciprocal)) {
      ASSERT_LE(error_of(reciprocal, Operation::div, 1, any).relative, 0x1p-23);
    }
    if (finite(positive)) {
      ASSERT_LE(error_of(sqrt_approx(positive), Operation::sqrt, positive).relative, 0x1p-23);
      const double root = rsqrt_approx(positive);
      ASSERT_LE(std::fabs(root * root * positive - 1), 2 * 0x1p-22);
      if (positive <= 0.5F || positive >= 2) {
        ASSERT_LE(error_of(lg2_approx(positive), Operation::log2, positive).relative, 0x1p-22);
      }
    }
    const float small = near_one();
    if (small > 0.5F) {
      ASSERT_LE(error_of(lg2_approx(small), Operation::log2, small).absolute, 0x1p-22);
    }
    const float exponential = (near_one() - 1) * 125;
    ASSERT_LE(error_of(ex2_approx(exponential), Operation::exp2, exponential).relative, 0x1p-22);
    const auto angle = static_cast<float>((near_one() - 1) * 2 * std::numbers::pi);
    ASSERT_LE(error_of(sin_approx(angle), Operation::sin, angle).absolute, 0x1.6ap-21);
    ASSERT_LE(error_of(cos_approx(angle), Operation::cos, angle).absolute, 0x1.6ap-21);
    if (finite(any)) {
      ASSERT_LE(error_of(tanh_approx(any), Operation::tanh, any).relative, 0x1p-11);
    }
  }
}

TEST(ApproximateFunctions, StayWithinTheManualsBoundsOnEveryHalf) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const f16 h{static_cast<std::uint16_t>(bits)};
    const bf16 b{static_cast<std::uint16_t>(bits)};
    if (!is_nan(h) && absolute(h).bits < 0x7c00) {
      const double x = widen(h);
      ASSERT_LE(error_of(widen(tanh_approx(h)), Operation::tanh, x).absolute, 0x1.025p-11);
      if (x > -14 && x < 15.9) {
        ASSERT_LE(error_of(widen(ex2_approx(h)), Operation::exp2, x).relative, 0x1p-10);
      }
    }
    if (!is_nan(b) && absolute(b).bits < 0x7f80) {
      const double x = widen(b);
      ASSERT_LE(error_of(widen(tanh_approx(b)), Operation::tanh, x).absolute, 0x1p-8);
      if (x > -126 && x < 127.5) {
        ASSERT_LE(error_of(widen(ex2_approx<true>(b)), Operation::exp2, x).relative, 0x1p-7);
      }
    }
  }
  EXPECT_EQ(ex2_approx<true>(bf16{0x8001}).bits, 0x3f80);
  EXPECT_EQ(ex2_approx(f16{0xfc00}).bits, 0);
  EXPECT_EQ(ex2_approx(f16{0xfe01}).bits, 0x7fff);
}

/// Recorded on an H200: its operations around the tables (docs/silicon.md).
TEST(ApproximateFunctions, ReduceTheirArgumentsLikeTheHardware) {
  const auto f32 = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  EXPECT_EQ(to_bits(sin_approx(f32(0x807fffff))), 0x80000000U) << "less than 2^-25 of a turn";
  EXPECT_EQ(to_bits(sin_approx(f32(0x50000002))), 0U) << "a whole number of turns";
  EXPECT_EQ(to_bits(sin_approx(f32(0xcd800001))), 0x80000000U);
  EXPECT_EQ(to_bits(sin_approx(f32(0xbf800000))), 0xbf576aa3U);
  EXPECT_EQ(to_bits(cos_approx(f32(0x9d0663d2))), 0x3f800000U);
  EXPECT_EQ(ex2_approx(f16{0x905b}).bits, 0x3bff) << "truncated, not rounded";
  EXPECT_EQ(ex2_approx(f16{0x613a}).bits, 0x7c00) << "too large: infinite";
  EXPECT_EQ(tanh_approx(f16{0x4439}).bits, 0x3bff);
  EXPECT_EQ(tanh_approx(f16{0x93ff}).bits, 0x93ff) << "passed through";
  EXPECT_EQ(to_bits(tanh_approx(f32(0x40ffffff))), 0x3f7ffffcU);
  EXPECT_EQ(tanh_approx(8.0F), 1.0F);
  EXPECT_EQ(ex2_approx<true>(bf16{0xbe5b}).bits, 0x3f5c);
}

TEST(ApproximateFunctions, RefineTheReciprocalRootInF64) {
  const auto rsqrt = [](std::uint64_t bits) {
    return to_bits(rsqrt_approx(std::bit_cast<double>(bits)));
  };
  EXPECT_EQ(rsqrt(0x3fc0a2d5ce2bddcc), 0x400630ccd0181947U);  // recorded on an H200
  EXPECT_EQ(rsqrt(0x40286d5636783579), 0x3fd2501f86560514U);
  EXPECT_EQ(rsqrt(0x0001329bddbba750), 0x5ffd3d71bc0c37c5U) << "of a subnormal number";
  EXPECT_EQ(rsqrt(0x8000000000000000), 0xfff0000000000000U);
  EXPECT_EQ(rsqrt(0x7ff77ed0eef13c73), 0x7fff7ed0eef13c73U);
  EXPECT_EQ(rsqrt(0xc065000000000000), 0xfff8000000000000U);
  EXPECT_EQ(rsqrt(0x7ff0000000000000), 0U);
}

TEST(ApproximateDivision, FollowsTheManualsRanges) {
  EXPECT_EQ(div_approx(6.0F, 3.0F), 2.0F);
  EXPECT_EQ(to_bits(div_approx(-1.0F, 0x1.8p126F)), 0x80000000U);
  EXPECT_EQ(to_bits(div_approx(1.0F, -0x1p127F)), 0x80000000U);
  EXPECT_EQ(to_bits(div_approx(inf, 0x1.8p126F)), canonical);
  EXPECT_EQ(div_approx(inf, 0x1p126F), inf);
  EXPECT_EQ(to_bits(div_approx(1.0F, nan)), canonical);
  EXPECT_EQ(to_bits(div_approx(0.0F, 0.0F)), canonical);
  EXPECT_NEAR(div_full(1.0F, 0x1.8p126F), 1.0F / 0x1.8p126F, 0x2p-149);
  EXPECT_EQ(div_approx(-0x1p-149F, 0x3p-149F), -1.0F / 3.0F) << "recorded on an H200";
  EXPECT_EQ(to_bits(div_approx(-0.0F, 0x2p-149F)), 0x80000000U);
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < 5000; ++i) {
    const float a = random.floating<float>();
    const float b = random.floating<float>();
    const float quotient = div_approx(a, b);
    if (absolute(b) < 0x1p-126F || absolute(b) > 0x1p126F || is_nan(a / b)) continue;
    if (absolute(quotient) < 0x1p-126F || absolute(quotient) == inf || absolute(a) < 0x1p-126F)
      continue;
    ASSERT_LE(error_of(quotient, Operation::div, a, b).relative, 2 * 0x1p-23)
        << std::hexfloat << a << " / " << b;
  }
}

TEST(GrossApproximation, UsesOnlyTheUpperWord) {
  const double big = std::numeric_limits<double>::infinity();
  const auto rcp = [](double a) { return to_bits(rcp_approx_ftz(a)); };
  const auto rsqrt = [](double a) { return to_bits(rsqrt_approx_ftz(a)); };
  constexpr std::uint64_t nan_word = 0x7fffffff00000000;
  EXPECT_EQ(rcp(-big), to_bits(-0.0));
  EXPECT_EQ(rcp(-0x1p-1040), to_bits(-big));
  EXPECT_EQ(rcp(-0.0), to_bits(-big));
  EXPECT_EQ(rcp(0x1p-1040), to_bits(big));
  EXPECT_EQ(rcp(big), to_bits(0.0));
  EXPECT_EQ(rcp(std::nan("")), nan_word);
  EXPECT_EQ(rcp(0x1p1023), 0U) << "a subnormal result";
  EXPECT_EQ(rcp(4.0), to_bits(0.25));
  EXPECT_EQ(rcp(std::bit_cast<double>(0x40100000ffffffffULL)), to_bits(0.25))
      << "the lower word is ignored";
  EXPECT_EQ(rsqrt(-big), nan_word);
  EXPECT_EQ(rsqrt(-0x1p-1040), to_bits(-big));
  EXPECT_EQ(rsqrt(0x1p-1040), to_bits(big));
  EXPECT_EQ(rsqrt(big), to_bits(0.0));
  EXPECT_EQ(rsqrt(16.0), to_bits(0.25));
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < 5000; ++i) {
    const double a = random.floating<double>();
    EXPECT_EQ(rcp(a) & 0xffffffff, 0U);
    if (is_nan(a) || absolute(a) < 0x1p-1021 || absolute(a) > 0x1p1021) continue;
    EXPECT_LE(error_of(rcp_approx_ftz(a), Operation::div, 1, a).relative, 0x1p-19);
  }
}

}  // namespace
}  // namespace warpcheck::semantics
