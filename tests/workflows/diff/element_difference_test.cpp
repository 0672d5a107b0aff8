#include "workflows/diff/element_difference.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "campaign/run/element.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::workflows::diff {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double between(ScalarType type, double one, double other) {
  std::array<std::byte, 8> first{};
  std::array<std::byte, 8> second{};
  campaign::run::encode(one, type, first.data());
  campaign::run::encode(other, type, second.data());
  return ulps_between(type, first.data(), second.data());
}

TEST(UlpsBetween, CountsTheValuesOfTheFormat) {
  EXPECT_EQ(between(ScalarType::f32, 1.0, 1.0 + 0x1p-23), 1.0);
  EXPECT_EQ(between(ScalarType::f32, 1.0, 2.0), 0x1p23);
  EXPECT_EQ(between(ScalarType::f64, 1.0, 1.0 - 0x3p-53), 3.0);
  EXPECT_EQ(between(ScalarType::f16, 2.0, 1.0), 1024.0);
  EXPECT_EQ(between(ScalarType::bf16, 1.0, 1.0 + 0x1p-7), 1.0);
  EXPECT_EQ(between(ScalarType::tf32, 1.0, 1.0 + 0x3p-10), 3.0);
  EXPECT_EQ(between(ScalarType::e4m3, 1.0, 1.25), 2.0);
  EXPECT_EQ(between(ScalarType::e5m2, 1.0, 1.25), 1.0);
  EXPECT_EQ(between(ScalarType::s32, 7.0, -5.0), 12.0);
}

TEST(UlpsBetween, CountsThroughZeroWhichIsOneValue) {
  EXPECT_EQ(between(ScalarType::f32, 0.0, -0.0), 0.0);
  EXPECT_EQ(between(ScalarType::f32, 0x1p-149, -0x1p-149), 2.0);
  EXPECT_EQ(between(ScalarType::f16, 0x1p-24, -0.0), 1.0);
}

TEST(UlpsBetween, InfinityIsTheNextValueAndNanIsInfinitelyFar) {
  EXPECT_EQ(between(ScalarType::f32, 0x1.fffffep127, kInfinity), 1.0);
  EXPECT_EQ(between(ScalarType::f32, kNan, kNan), 0.0);
  EXPECT_EQ(between(ScalarType::f32, kNan, 1.0), kInfinity);
}

/// Provides the product of a column of two and a row of two, and outputs set by hand.
std::optional<ElementDifference> difference_of(const campaign::run::Problem& problem,
                                               const campaign::run::Output& before,
                                               const campaign::run::Output& after) {
  return largest_difference(problem, std::vector{before}, std::vector{after});
}

class LargestDifference : public ::testing::Test {
 protected:
  campaign::run::Problem of(const std::array<float, 2>& column,
                            const std::array<float, 2>& row) const {
    campaign::run::Operands operands{{2, 1}, {1, 2}, {2, 2}, {}};
    operands.a.values = {column[0], column[1]};
    operands.b.values = {row[0], row[1]};
    const campaign::Case line = campaign::parse_case("fake m=2 n=2 k=1");
    return campaign::run::make_problem(variant_, line, std::move(operands),
                                       campaign::run::usual_poison(line));
  }

  static campaign::run::Output output(const campaign::run::Problem& problem,
                                      const std::vector<double>& values,
                                      ScalarType type = ScalarType::f32) {
    campaign::run::Output result{problem.layouts.output(), {}};
    result.place.type = type;
    result.bytes.resize(result.place.extent().bytes());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      campaign::run::encode(values[i], type,
                            result.bytes.data() + result.place.index_of(number / 2, number % 2));
    }
    return result;
  }

  contract::Variant variant_ = campaign::testing::plain_variant();
};

TEST_F(LargestDifference, IsNoneForEqualBitsAndForNanOnBothSides) {
  const campaign::run::Problem problem = of({3, 5}, {7, 11});
  const campaign::run::Output before = output(problem, {21, 33, 35, kNan});
  campaign::run::Output after = before;
  after.bytes[after.place.index_of(1, 1)] ^= std::byte{1};  // another payload
  EXPECT_FALSE(difference_of(problem, before, before));
  EXPECT_FALSE(difference_of(problem, before, after));
}

TEST_F(LargestDifference, IsInfinitelyManyBoundsForAnExactSum) {
  const campaign::run::Problem problem = of({3, 5}, {7, 11});
  const auto found =
      difference_of(problem, output(problem, {21, 33, 35, 55}), output(problem, {21, 33, 36, 55}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->element, "C[1, 0]");
  EXPECT_EQ(found->before, 35.0);
  EXPECT_EQ(found->after, 36.0);
  EXPECT_EQ(found->expected, 35.0);
  EXPECT_EQ(found->tolerance, 0.0);
  EXPECT_EQ(found->over_bound, kInfinity);
  EXPECT_EQ(found->ulps, 0x1p18) << "the floats from 32 to 64 are 2^-18 apart";
  EXPECT_EQ(found->differing, 1);
  EXPECT_EQ(found->elements, 4);
}

// Both products of the row have the same significand, so that the bound is 1024 times as large for
// the second: two ulps of the first are more than one of the second.
TEST_F(LargestDifference, IsMeasuredInUnitsOfTheElementsBound) {
  const campaign::run::Problem problem = of({0.1F, 1.0F}, {0.3F, 0.3F * 1024});
  const double product = double{0.1F} * double{0.3F};
  const auto rounded = static_cast<float>(product);
  const auto off_by = [&](std::uint32_t ulps) {
    return double{std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) + ulps)};
  };
  const std::vector<double> right = {rounded, rounded * 1024.0, 0.3F, 0.3F * 1024};
  std::vector<double> wrong = right;
  wrong[0] = off_by(2);
  wrong[1] = off_by(1) * 1024;
  const auto found = difference_of(problem, output(problem, right), output(problem, wrong));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->element, "C[0, 0]");
  EXPECT_EQ(found->expected, product);
  EXPECT_EQ(found->ulps, 2.0);
  EXPECT_GE(found->tolerance, std::fabs(rounded - product)) << "the rounded product is correct";
  EXPECT_GT(found->tolerance, 0.0);
  EXPECT_DOUBLE_EQ(found->over_bound, (off_by(2) - rounded) / found->tolerance);
  EXPECT_EQ(found->differing, 2);
}

TEST_F(LargestDifference, IncludesTheSignOfZeroForEqualTypes) {
  const campaign::run::Problem problem = of({0, 5}, {7, 11});
  const campaign::run::Output before = output(problem, {0.0, 0, 35, 55});
  const auto found = difference_of(problem, before, output(problem, {-0.0, 0, 35, 55}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->element, "C[0, 0]");
  EXPECT_EQ(found->over_bound, 0.0);
  EXPECT_EQ(found->ulps, 0.0);
  EXPECT_FALSE(difference_of(problem, before, output(problem, {-0.0, 0, 35, 55}, ScalarType::f16)));
}

TEST_F(LargestDifference, ComparesValuesWithoutUlpsForDifferentTypes) {
  const campaign::run::Problem problem = of({3, 5}, {7, 11});
  const auto found = difference_of(problem, output(problem, {21, 33, 35, 55}),
                                   output(problem, {21, 33, 35, 55.5}, ScalarType::f16));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->element, "C[1, 1]");
  EXPECT_EQ(found->after, 55.5);
  EXPECT_FALSE(found->ulps);
}

}  // namespace
}  // namespace warpcheck::workflows::diff
