#include "reference/certain_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/bounded.hpp"

namespace warpcheck::reference {
namespace {

constexpr std::int64_t kTerms = 100;
/// The error of a sum of 100 products in any order, in units of S.
constexpr double kError = 100.0 * 0x1p-53;

struct Sums {
  double value;
  double magnitude;
};

Sums rounded(Sums sums, const Sums& in_fixed_order, double exact_up_to = 0.0) {
  CertainSums certain(kTerms);
  certain.round({0, {&sums.value, 1}, {&sums.magnitude, 1}, 1.0, exact_up_to},
                {[&](std::int64_t, std::int64_t) { return in_fixed_order.value; },
                 [&](std::int64_t, std::int64_t) { return in_fixed_order.magnitude; }});
  return sums;
}

/// Tries values around the middle between two multiples of the step, and magnitudes around the
/// limits, where two orders round in different ways.
TEST(CertainSums, DoNotDependOnTheOrder) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> fraction(-1.0, 1.0);
  const double step = 2.0 * CertainSums(kTerms).value_growth();
  int different = 0;
  for (int round = 0; round < 200000; ++round) {
    const double binade = std::ldexp(1.0, static_cast<int>(random() % 200) - 100);
    Sums exact{};
    exact.magnitude = binade * (1.5 + 0.5 * fraction(random));
    if (random() % 4 == 0) exact.magnitude = binade;  // the errors are on both sides
    exact.value = exact.magnitude * fraction(random);
    if (random() % 2 == 0) {
      exact.value = (std::floor(exact.value / (binade * step)) + 0.5) * binade * step;
    }
    const auto with_error = [&](double error) {
      return Sums{exact.value + error * exact.magnitude * fraction(random),
                  exact.magnitude * (1.0 + error * fraction(random))};
    };
    const Sums fixed = with_error(0x1p-53);
    const Sums expected = rounded(fixed, fixed);
    const Sums one = with_error(kError);
    const Sums got = rounded(one, fixed);
    ASSERT_EQ(got.value, expected.value) << "round " << round;
    ASSERT_EQ(got.magnitude, expected.magnitude) << "round " << round;
    ASSERT_GE(got.magnitude, one.magnitude);
    ASSERT_LE(got.magnitude, exact.magnitude * (1.0 + 0x1p-28));
    ASSERT_LE(std::abs(got.value - exact.value),
              (kError + CertainSums(kTerms).value_growth()) * got.magnitude);
    // The twin without the sum in a fixed order: the middle rounds to either side.
    different += rounded(one, one).value != expected.value ? 1 : 0;
  }
  EXPECT_GT(different, 1000);
}

TEST(CertainSums, ExactSumsStay) {
  const Sums sums{0x1.23456789abcdep-3, 0x1.fedcba9876543p+3};
  EXPECT_EQ(rounded(sums, sums, 16.0).value, sums.value);
  EXPECT_EQ(rounded(sums, sums, 16.0).magnitude, sums.magnitude);
  EXPECT_NE(rounded(sums, sums, 15.0).value, sums.value);
  EXPECT_EQ(rounded({0.0, 0.0}, sums).magnitude, 0.0);
}

TEST(CertainSums, CancellationGivesZero) {
  EXPECT_EQ(rounded({-kError, 1.0}, {0.0, 1.0}).value, 0.0);
}

TEST(CertainSums, SpecialValuesStayAndNanHasOneSign) {
  EXPECT_EQ(rounded({-kInfinity, 3.0}, {1.0, 3.0}).value, -kInfinity);
  for (const double sign : {1.0, -1.0}) {
    const double got = rounded({std::copysign(kNanValue, sign), 3.0}, {1.0, 3.0}).value;
    EXPECT_TRUE(std::isnan(got) && !std::signbit(got));
  }
}

TEST(CertainSums, OverflownSumsAreThoseOfTheFixedOrder) {
  const Sums fixed{1e308, kInfinity};
  const Sums got = rounded({kNanValue, kInfinity}, fixed);
  EXPECT_EQ(got.value, fixed.value);
  EXPECT_EQ(got.magnitude, kInfinity);
}

}  // namespace
}  // namespace warpcheck::reference
