// Laws of the reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "reference/bound.hpp"
#include "reference/format.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::reference {
namespace {

ScalarType any_type() {
  return static_cast<ScalarType>(
      *rc::gen::inRange(0, static_cast<int>(ScalarType::e5m2) + 1).as("type"));
}

/// A finite value in the range of every floating-point format.
double any_value() {
  const double fraction = *rc::gen::inRange(-1'000'000'000, 1'000'000'001) * 1e-9;
  return std::ldexp(fraction, *rc::gen::inRange(-160, 140));
}

std::int64_t any_length() { return *rc::gen::inRange<std::int64_t>(1, 100'000); }

Matrix any_matrix(std::int64_t rows, std::int64_t columns) {
  Matrix matrix(rows, columns);
  for (double& value : matrix.values) value = *rc::gen::inRange(-1000, 1001) * 0x1p-5;
  return matrix;
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.columns, matrix.rows);
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t j = 0; j < matrix.columns; ++j) result(j, i) = matrix(i, j);
  }
  return result;
}

RC_GTEST_PROP(RoundTo, IsIdempotent, ()) {
  const ScalarType type = any_type();
  const double once = round_to(type, any_value());
  RC_PRE(std::isfinite(once));
  RC_ASSERT(round_to(type, once) == once);
}

RC_GTEST_PROP(RoundTo, IsMonotonic, ()) {
  const ScalarType type = any_type();
  const double x = any_value();
  const double y = any_value();
  const double low = round_to(type, std::min(x, y));
  const double high = round_to(type, std::max(x, y));
  RC_PRE(!std::isnan(low) && !std::isnan(high));
  RC_ASSERT(low <= high);
}

RC_GTEST_PROP(RoundTo, KeepsTheSignOfFloats, ()) {
  const ScalarType type = any_type();
  RC_PRE(!format(type).integer);
  const double value = any_value();
  const double positive = round_to(type, value);
  const double negative = round_to(type, -value);
  RC_ASSERT(positive == -negative || (std::isnan(positive) && std::isnan(negative)));
}

RC_GTEST_PROP(RoundTo, ErrorIsAtMostHalfAStep, ()) {
  const ScalarType type = any_type();
  const Format& to = format(type);
  const double value = any_value();
  RC_PRE(!to.integer && std::abs(value) <= to.largest);
  const double error = std::abs(round_to(type, value) - value);
  const double relative = std::ldexp(std::abs(value), -to.precision);
  RC_ASSERT(error <= std::max(relative, 0.5 * to.smallest_step()));
}

RC_GTEST_PROP(LongestPath, IsAtMostTheSumAndCoversEverySlice, ()) {
  const std::int64_t k = any_length();
  const std::int64_t split = *rc::gen::inRange<std::int64_t>(1, 300);
  const std::int64_t path = longest_path(k, split);
  RC_ASSERT(path <= k);
  RC_ASSERT(path * split >= k);
  RC_ASSERT(path <= longest_path(k + 1, split));
}

RC_GTEST_PROP(Growth, IncreasesWithTheLengthOfThePath, ()) {
  const std::int64_t path = any_length();
  const std::int64_t longer = path + any_length();
  RC_ASSERT(any_order_growth(path, 0x1p-24) < any_order_growth(longer, 0x1p-24));
  RC_ASSERT(statistical_growth(path, 1e4, 1e-12, 0x1p-24) <
            statistical_growth(longer, 1e4, 1e-12, 0x1p-24));
  const TensorSums sums = tensor_sums(any_type());
  RC_ASSERT(tensor_growth(path, sums, 0x1p-24) <= tensor_growth(longer, sums, 0x1p-24));
}

RC_GTEST_PROP(Growth, StatisticalIncreasesWithTermsAndConfidence, ()) {
  const std::int64_t path = any_length();
  const auto terms = static_cast<double>(any_length());
  const double growth = statistical_growth(path, terms, 1e-9, 0x1p-24);
  RC_ASSERT(growth < statistical_growth(path, 2.0 * terms, 1e-9, 0x1p-24));
  RC_ASSERT(growth < statistical_growth(path, terms, 1e-12, 0x1p-24));
}

RC_GTEST_PROP(ReferenceGemm, OfTransposedOperandsIsTransposed, ()) {
  const auto m = *rc::gen::inRange<std::int64_t>(1, 6);
  const auto n = *rc::gen::inRange<std::int64_t>(1, 6);
  const auto k = *rc::gen::inRange<std::int64_t>(0, 9);
  Gemm problem{.a = any_matrix(m, k), .b = any_matrix(k, n), .c = any_matrix(m, n)};
  problem.beta = *rc::gen::element(0.0, 1.0, -0.5);
  Gemm other = problem;
  other.a = transposed(problem.b);
  other.b = transposed(problem.a);
  other.c = transposed(problem.c);
  const Expected expected = gemm(problem);
  const Expected swapped = gemm(other);
  RC_ASSERT(transposed(swapped.value).values == expected.value.values);
  RC_ASSERT(transposed(swapped.tolerance).values == expected.tolerance.values);
}

RC_GTEST_PROP(ReferenceGemm, ZeroTermsKeepTheValueAndNeverTightenTheBound, ()) {
  const auto k = *rc::gen::inRange<std::int64_t>(1, 9);
  const auto zeros = *rc::gen::inRange<std::int64_t>(0, 40);
  Gemm problem{.a = any_matrix(1, k), .b = any_matrix(k, 1), .c = {}};
  problem.alpha = *rc::gen::element(1.0, -2.0, 0.7);
  problem.tensor_cores = *rc::gen::arbitrary<bool>();
  const Expected expected = gemm(problem);
  problem.a.values.resize(static_cast<std::size_t>(k + zeros), 0.0);
  problem.b.values.resize(static_cast<std::size_t>(k + zeros), 0.0);
  problem.a.columns = problem.b.rows = k + zeros;
  const Expected longer = gemm(problem);
  RC_ASSERT(longer.value(0, 0) == expected.value(0, 0));
  RC_ASSERT(longer.tolerance(0, 0) >= expected.tolerance(0, 0));
}

RC_GTEST_PROP(ReferenceGemm, AcceptsItsValue, ()) {
  Gemm problem{.a = any_matrix(2, 5), .b = any_matrix(5, 2), .c = any_matrix(2, 2)};
  problem.alpha = any_value();
  problem.beta = any_value();
  const Expected expected = gemm(problem);
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 2; ++j) RC_ASSERT(expected.accepts(i, j, expected.value(i, j)));
  }
}

}  // namespace
}  // namespace warpcheck::reference
