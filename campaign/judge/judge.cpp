#include "campaign/judge/judge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/vectorized.hpp"
#include "campaign/judge/diagnose.hpp"

namespace warpcheck::campaign::judge {
namespace {

using reference::Expected;
using reference::Matrix;

/// Elements of one row.
struct Row {
  const double* got;
  const double* expected;
  const double* tolerance;
  std::int64_t columns;

  [[nodiscard]] bool is_equal() const {
    return std::memcmp(got, expected, static_cast<std::size_t>(columns) * sizeof(double)) == 0;
  }
};

/// Returns the largest error in units of the tolerance; negative unless every value, error and
/// tolerance is finite and no error exceeds its tolerance. Bits of positive numbers have their
/// order.
double largest_ratio(const Row& row) {
  std::int64_t largest = 0;
  bool passed = true;
  for (std::int64_t j = 0; j < row.columns; ++j) {
    const double error = std::abs(row.got[j] - row.expected[j]);
    passed &= error <= row.tolerance[j] && row.tolerance[j] < HUGE_VAL;
    const double ratio = error == 0.0 ? 0.0 : error / row.tolerance[j];
    largest = std::max(largest, std::bit_cast<std::int64_t>(ratio));
  }
  return passed ? std::bit_cast<double>(largest) : -1.0;
}

/// Returns false only if every element is right and none has an error of more than `most` times its
/// tolerance. Has no divisions and branches, so that the compiler can vectorise the loop.
bool may_exceed(const Row& row, double most) {
  constexpr double kMargin = 1.0 + 0x1p-50;  // covers the rounding of normal numbers
  constexpr double kLeastNormal = std::numeric_limits<double>::min();
  std::int64_t exceeding = 0;
  for (std::int64_t j = 0; j < row.columns; ++j) {
    const double error = std::abs(row.got[j] - row.expected[j]);
    const double allowed = most * row.tolerance[j];
    const std::int64_t is_more = error * kMargin <= allowed ? 0 : 1;
    const std::int64_t is_small = allowed >= kLeastNormal ? 0 : 1;
    const std::int64_t is_error = error == 0.0 ? 0 : 1;
    exceeding |= is_error & (is_more | is_small);
  }
  return exceeding != 0;
}

/// Compares element by element.
class Comparison {
 public:
  explicit Comparison(const Expected& expected) : expected_(expected) {}

  Judgement compare(const Result& got) {
    judgement_.elements = got.rows * got.columns;
    for (std::int64_t i = 0; i < got.rows; ++i) {
      const std::int64_t first = i * got.columns;
      const Row row{got.row(i).data(), expected_.value.values.data() + first,
                    expected_.tolerance.values.data() + first, got.columns};
      if (row.is_equal()) continue;
      if (!may_be_worse(row)) continue;
      const double ratio = largest_ratio(row);
      if (ratio < 0.0) {
        for (std::int64_t j = 0; j < row.columns; ++j) compare_element(i, j, row.got[j]);
      } else {
        judgement_.error_over_bound = std::max(judgement_.error_over_bound, ratio);
      }
    }
    return std::move(judgement_);
  }

 private:
  /// Returns false if no element of the row is wrong, or has a larger error than those before.
  [[nodiscard]] bool may_be_worse(const Row& row) const {
    const double most = judgement_.error_over_bound;
    if (most > 1.0) return true;
    return vectorized([&] { return may_exceed(row, most); });
  }

  void compare_element(std::int64_t i, std::int64_t j, double value) {
    const reference::Bounded element = expected_.element(i, j);
    judgement_.add(i, j, {value, element.value, element.error, expected_.accepts(i, j, value)});
  }

  const Expected& expected_;
  Judgement judgement_;
};

}  // namespace

void Judgement::add(std::int64_t row, std::int64_t column, const ComparedElement& element) {
  error_over_bound = std::max(error_over_bound, element.error());
  if (element.is_right) return;
  const WrongElement here{row, column, element.got, element.expected, element.tolerance};
  if (wrong++ == 0) first = here;
  box.add(row, column);
  worst.add(here);
}

Matrix matrix_of(const Result& result) {
  Matrix matrix = Matrix::uninitialized(result.rows, result.columns);
  for (std::int64_t i = 0; i < result.rows; ++i) {
    std::ranges::copy(result.row(i), matrix.values.begin() + i * result.columns);
  }
  return matrix;
}

Judgement judge(const reference::Gemm& problem, const Expected& expected, const Matrix& got,
                const Prefill& prefill) {
  const auto columns = static_cast<std::size_t>(got.columns);
  const auto row = [&](std::int64_t number) {
    return std::span(got.values).subspan(static_cast<std::size_t>(number) * columns, columns);
  };
  return judge(problem, expected, Result{got.rows, got.columns, row}, prefill);
}

Judgement judge(const reference::Gemm& problem, const Expected& expected, const Result& got,
                const Prefill& prefill) {
  const bool fits = got.rows == expected.value.rows && got.columns == expected.value.columns;
  if (!fits) throw std::invalid_argument("judge: D has other extents than the reference");
  Judgement judgement = Comparison(expected).compare(got);
  if (judgement.wrong == 0) {
    judgement.sensitivity = sensitivity(problem, expected, prefill);
  } else {
    judgement.diagnosis = diagnose(problem, expected, matrix_of(got), prefill);
  }
  return judgement;
}

}  // namespace warpcheck::campaign::judge
