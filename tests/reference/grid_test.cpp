#include "reference/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/hash.hpp"

namespace warpcheck::reference {
namespace {

Grid one_by_one(const std::vector<double>& values) {
  Grid grid;
  for (const double value : values) grid.include(value);
  return grid;
}

/// The significant bits of the widest value, found by shifting.
int widest_of(const std::vector<double>& values) {
  int widest = 0;
  for (const double value : values) {
    int bits = 0;
    int exponent = 0;
    double rest = std::isfinite(value) ? std::abs(std::frexp(value, &exponent)) : 0.0;
    for (; rest != 0.0; ++bits) rest = 2.0 * rest - std::floor(2.0 * rest);
    widest = std::max(widest, bits);
  }
  return widest;
}

void expect_same(const std::vector<double>& values) {
  Matrix matrix(1, static_cast<std::int64_t>(values.size()));
  matrix.values.assign(values.begin(), values.end());
  const Grid grid = grid_of(matrix);
  const Grid expected = one_by_one(values);
  EXPECT_EQ(grid.exponent, expected.exponent);
  EXPECT_EQ(grid.largest, expected.largest);
  const int widest = widest_of(values);
  EXPECT_EQ(width_of(matrix, 64), widest);
  for (const int enough : {1, widest, widest + 1}) {
    EXPECT_GE(width_of(matrix, enough), std::min(enough, widest));
    EXPECT_LE(width_of(matrix, enough), widest);
  }
  EXPECT_EQ(grid.finite, expected.finite);
}

TEST(Grid, OfAMatrixIsThatOfItsValues) {
  expect_same({});
  expect_same({0.0, -0.0});
  expect_same({1.0});
  expect_same({-0.375, 0.0, 1e30, 6.0});
  std::uint64_t state = 1;
  for (int bits = 1; bits <= 53; ++bits) {
    std::vector<double> values;
    for (int i = 0; i < 67; ++i) {
      state = mixed(state);
      const auto significand = static_cast<double>(state >> (64 - bits));
      const double value = std::ldexp(significand, static_cast<int>(state % 200) - 100);
      values.push_back(state % 3 == 0 ? -value : value);
      expect_same(values);
    }
  }
}

/// Multiples of steps that decrease from block to block, some far below the largest value.
TEST(Grid, HasTheStepOfTheLastValue) {
  for (const int last : {-1, -40, -51, -53, -300, -1022, -1074}) {
    std::vector<double> values(1000, 3.0);
    values[700] = std::ldexp(5.0, last);
    expect_same(values);
    values[100] = 0x1p1023;
    expect_same(values);
    values[0] = 0x1p1023;
    expect_same(values);
    values.assign(300, 0x1p1023);
    values[299] = std::ldexp(1.0, last);
    expect_same(values);
  }
}

TEST(Grid, CountsNumbersThatAreNotNormal) {
  using Limits = std::numeric_limits<double>;
  const double next_to_subnormal = Limits::min() * (1.0 + Limits::epsilon());
  for (const double special : {Limits::denorm_min(), Limits::min(), next_to_subnormal,
                               Limits::max(), Limits::infinity(), Limits::quiet_NaN()}) {
    expect_same({1.5, special, -3.0});
    expect_same({special});
  }
}

}  // namespace
}  // namespace warpcheck::reference
