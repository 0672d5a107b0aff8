#include "reference/format.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

namespace warpcheck::reference {
namespace {

// The expected values are those of IEEE 754-2019, table 3.5, and of the OCP 8-bit floating point
// specification.

TEST(Format, LargestValuesRoundToThemselves) {
  EXPECT_EQ(round_to(ScalarType::f16, 65504.0), 65504.0);
  EXPECT_EQ(round_to(ScalarType::f32, FLT_MAX), FLT_MAX);
  EXPECT_EQ(round_to(ScalarType::f64, DBL_MAX), DBL_MAX);
  EXPECT_EQ(round_to(ScalarType::e4m3, 448.0), 448.0);
  EXPECT_EQ(round_to(ScalarType::e5m2, 57344.0), 57344.0);
  EXPECT_EQ(format(ScalarType::f32).largest, FLT_MAX);
  EXPECT_EQ(format(ScalarType::bf16).largest, 3.38953138925153547590470800371487866880e+38);
}

TEST(Format, HalfAStepBeyondTheLargestValueOverflows) {
  EXPECT_EQ(format(ScalarType::f16).overflow_threshold(), 65520.0);
  EXPECT_EQ(round_to(ScalarType::f16, std::nextafter(65520.0, 0.0)), 65504.0);
  EXPECT_EQ(round_to(ScalarType::f16, 65520.0), HUGE_VAL);
  EXPECT_EQ(round_to(ScalarType::f16, -65520.0), -HUGE_VAL);
  const double threshold = format(ScalarType::f32).overflow_threshold();
  EXPECT_EQ(static_cast<float>(threshold), HUGE_VALF);
  EXPECT_EQ(static_cast<float>(std::nextafter(threshold, 0.0)), FLT_MAX);
  EXPECT_TRUE(std::isnan(round_to(ScalarType::e4m3, 480.0)));
  EXPECT_EQ(round_to(ScalarType::s8, 300.0), 127.0);
  EXPECT_EQ(round_to(ScalarType::s8, -300.0), -128.0);
  EXPECT_EQ(round_to(ScalarType::u8, -1.0), 0.0);
}

TEST(Format, InfinityAndNanFollowTheFormat) {
  const double nan = std::nan("");
  EXPECT_EQ(round_to(ScalarType::f16, HUGE_VAL), HUGE_VAL);
  EXPECT_TRUE(std::isnan(round_to(ScalarType::e4m3, HUGE_VAL)));
  EXPECT_TRUE(std::isnan(round_to(ScalarType::bf16, nan)));
  EXPECT_EQ(round_to(ScalarType::s8, -HUGE_VAL), -128.0);
  EXPECT_EQ(round_to(ScalarType::s32, HUGE_VAL), 2147483647.0);
  EXPECT_EQ(round_to(ScalarType::u8, nan), 0.0);
}

TEST(Format, TiesGoToTheEvenNeighbour) {
  EXPECT_EQ(round_to(ScalarType::f16, 2049.0), 2048.0);
  EXPECT_EQ(round_to(ScalarType::f16, 2051.0), 2052.0);
  EXPECT_EQ(round_to(ScalarType::bf16, 257.0), 256.0);
  EXPECT_EQ(round_to(ScalarType::bf16, 259.0), 260.0);
  EXPECT_EQ(round_to(ScalarType::tf32, 2049.0), 2048.0);
  EXPECT_EQ(round_to(ScalarType::f32, 16777217.0), 16777216.0);
  EXPECT_EQ(round_to(ScalarType::e4m3, 17.0), 16.0);
  EXPECT_EQ(round_to(ScalarType::e5m2, 9.0), 8.0);
  EXPECT_EQ(round_to(ScalarType::s32, 2.5), 2.0);
}

TEST(Format, SubnormalsStay) {
  EXPECT_EQ(format(ScalarType::f32).smallest_step(), 0x1p-149);
  EXPECT_EQ(format(ScalarType::f16).smallest_step(), 0x1p-24);
  EXPECT_EQ(format(ScalarType::e4m3).smallest_step(), 0x1p-9);
  EXPECT_EQ(format(ScalarType::e5m2).smallest_step(), 0x1p-16);
  EXPECT_EQ(round_to(ScalarType::f16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(round_to(ScalarType::f16, 0x1p-25), 0.0);
  EXPECT_EQ(round_to(ScalarType::f16, 0x1.8p-24), 0x1p-23);
  EXPECT_EQ(round_to(ScalarType::f32, 0x1.8p-149), 0x1p-148);
}

TEST(Format, IntegersAreExactUpToThePrecision) {
  EXPECT_EQ(format(ScalarType::f32).exact_integers(), 16777216.0);
  EXPECT_EQ(format(ScalarType::f16).exact_integers(), 2048.0);
  EXPECT_EQ(format(ScalarType::bf16).exact_integers(), 256.0);
  EXPECT_EQ(format(ScalarType::e4m3).exact_integers(), 16.0);
  EXPECT_EQ(format(ScalarType::e5m2).exact_integers(), 8.0);
  EXPECT_EQ(format(ScalarType::s32).exact_integers(), 2147483647.0);
}

}  // namespace
}  // namespace warpcheck::reference
