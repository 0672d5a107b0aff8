#include "base/scalar_type.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpcheck {
namespace {

TEST(ScalarType, NamesAreReadBack) {
  for (int i = 0; i <= static_cast<int>(ScalarType::e5m2); ++i) {
    const auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(scalar_type(name(type)), type) << name(type);
  }
  EXPECT_EQ(scalar_type("f33"), std::nullopt);
  EXPECT_EQ(scalar_type(""), std::nullopt);
}

// u = 2^-p for p significant bits, including the hidden one.
TEST(ScalarType, UnitRoundoffIsHalfTheSpacingAboveOne) {
  EXPECT_EQ(unit_roundoff(ScalarType::f32), std::numeric_limits<float>::epsilon() / 2.0);
  EXPECT_EQ(unit_roundoff(ScalarType::f64), std::numeric_limits<double>::epsilon() / 2.0);
  EXPECT_EQ(unit_roundoff(ScalarType::f16), std::ldexp(1.0, -11));   // 10 bits stored
  EXPECT_EQ(unit_roundoff(ScalarType::tf32), std::ldexp(1.0, -11));  // 10
  EXPECT_EQ(unit_roundoff(ScalarType::bf16), std::ldexp(1.0, -8));   // 7
  EXPECT_EQ(unit_roundoff(ScalarType::e4m3), std::ldexp(1.0, -4));   // 3
  EXPECT_EQ(unit_roundoff(ScalarType::e5m2), std::ldexp(1.0, -3));   // 2
}

TEST(ScalarType, IntegersDoNotRound) {
  EXPECT_EQ(unit_roundoff(ScalarType::s8), 0.0);
  EXPECT_EQ(unit_roundoff(ScalarType::u8), 0.0);
  EXPECT_EQ(unit_roundoff(ScalarType::s32), 0.0);
}

TEST(ScalarType, SizesAreThoseInMemory) {
  EXPECT_EQ(size_of(ScalarType::f64), sizeof(double));
  EXPECT_EQ(size_of(ScalarType::f32), sizeof(float));
  EXPECT_EQ(size_of(ScalarType::tf32), 4U);
  EXPECT_EQ(size_of(ScalarType::f16), 2U);
  EXPECT_EQ(size_of(ScalarType::bf16), 2U);
  EXPECT_EQ(size_of(ScalarType::s32), 4U);
  EXPECT_EQ(size_of(ScalarType::e4m3), 1U);
  EXPECT_EQ(size_of(ScalarType::e5m2), 1U);
  EXPECT_EQ(size_of(ScalarType::s8), 1U);
  EXPECT_EQ(size_of(ScalarType::u8), 1U);
}

}  // namespace
}  // namespace warpcheck
