#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/scalar_type.hpp"
#include "properties/judge/judge.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::judge {
namespace {

using reference::Expected;
using reference::Gemm;
using reference::Matrix;

/// Returns for each element the magnitude that a lost term must exceed, before alpha, to be
/// detected.
Matrix visible_from(const Gemm& problem, const Expected& expected, double alpha) {
  // The rounding to a narrower output hides half a step on either side, an exact value's too.
  const double rounded =
      problem.type_c == problem.accumulate ? 0.0 : 2.0 * unit_roundoff(problem.type_c);
  Matrix threshold(expected.value.rows, expected.value.columns);
  for (std::size_t i = 0; i < threshold.values.size(); ++i) {
    const double value = expected.value.values[i];
    threshold.values[i] =
        std::isfinite(value)
            ? (2.0 * expected.tolerance.values[i] + rounded * std::abs(value)) / std::abs(alpha)
            : HUGE_VAL;
  }
  return threshold;
}

/// Returns true if factor * |b_kj| > threshold_j for some j.
bool any_exceeds(double factor, const double* b, const double* threshold, std::int64_t columns) {
  constexpr std::int64_t kBlock = 64;  // between looks, so that the comparisons vectorise
  for (std::int64_t begin = 0; begin < columns; begin += kBlock) {
    const std::int64_t end = std::min(columns, begin + kBlock);
    int hits = 0;
    for (std::int64_t j = begin; j < end; ++j) {
      hits |= static_cast<int>(factor * std::abs(b[j]) > threshold[j]);
    }
    if (hits != 0) return true;
  }
  return false;
}

bool right_before_the_launch(const Expected& expected, const Matrix& prefill) {
  for (std::int64_t i = 0; i < expected.value.rows; ++i) {
    for (std::int64_t j = 0; j < expected.value.columns; ++j) {
      if (!expected.accepts(i, j, prefill(i, j))) return false;
    }
  }
  return true;
}

double sensitivity_without_terms(const Expected& expected, const Matrix* prefill) {
  std::int64_t seen = 0;
  for (std::int64_t i = 0; i < expected.value.rows; ++i) {
    for (std::int64_t j = 0; j < expected.value.columns; ++j) {
      const bool unwritten = prefill != nullptr && !expected.accepts(i, j, (*prefill)(i, j));
      if (unwritten || !expected.accepts(i, j, 0.0)) ++seen;
    }
  }
  return static_cast<double>(seen) / static_cast<double>(expected.value.values.size());
}

}  // namespace

double sensitivity(const Gemm& problem, const Expected& expected, const Matrix* prefill) {
  const std::int64_t rows = problem.a.rows;
  const std::int64_t columns = problem.b.columns;
  const std::int64_t terms = problem.a.columns;
  if (rows == 0 || columns == 0) return 1.0;
  const double alpha = reference::round_to(problem.accumulate, problem.alpha);
  if (terms == 0 || alpha == 0.0) return sensitivity_without_terms(expected, prefill);

  if (problem.beta == 0.0 && prefill != nullptr && right_before_the_launch(expected, *prefill)) {
    return 0.0;
  }

  const Matrix threshold = visible_from(problem, expected, alpha);
  std::vector<double> least(static_cast<std::size_t>(rows));  // threshold in each row
  for (std::int64_t i = 0; i < rows; ++i) {
    const double* const row = threshold.values.data() + i * columns;
    least[static_cast<std::size_t>(i)] = *std::min_element(row, row + columns);
  }
  std::int64_t visible = 0;
  for (std::int64_t k = 0; k < terms; ++k) {
    const double* const b = problem.b.values.data() + k * columns;
    double largest = 0.0;
    for (std::int64_t j = 0; j < columns; ++j) {
      // NaN is left out by the comparison; an infinity makes its elements invisible, not its row.
      if (std::abs(b[j]) > largest) largest = std::abs(b[j]);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      const double factor = std::abs(problem.a(i, k));
      if (factor * largest > least[static_cast<std::size_t>(i)] &&
          any_exceeds(factor, b, threshold.values.data() + i * columns, columns)) {
        ++visible;
        break;
      }
    }
  }
  return static_cast<double>(visible) / static_cast<double>(terms);
}

}  // namespace warpcheck::properties::judge
