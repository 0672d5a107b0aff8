#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "base/scalar_type.hpp"
#include "base/vectorized.hpp"
#include "campaign/judge/judge.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::judge {
namespace {

using reference::Expected;
using reference::Gemm;

/// Sets for each element the magnitude that a lost term must exceed, before alpha, to be detected.
/// `rounded`: the relative rounding of the result. Returns the least of a row.
double visible_from(const double* value, const double* tolerance, double rounded, double alpha,
                    double* threshold, std::int64_t columns) {
  auto least = std::bit_cast<std::int64_t>(HUGE_VAL);  // bits of positive numbers have their order
  for (std::int64_t j = 0; j < columns; ++j) {
    const double visible = (2.0 * tolerance[j] + rounded * std::abs(value[j])) / std::abs(alpha);
    threshold[j] = std::abs(value[j]) < HUGE_VAL ? visible : HUGE_VAL;
    least = std::min(least, std::bit_cast<std::int64_t>(threshold[j]));
  }
  return std::bit_cast<double>(least);
}

/// Returns the largest magnitude. A NaN is left out; an infinity makes its elements invisible, not
/// its row.
double largest_of(const double* values, std::int64_t count) {
  std::int64_t largest = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const double magnitude = values[j] == values[j] ? std::abs(values[j]) : 0.0;
    largest = std::max(largest, std::bit_cast<std::int64_t>(magnitude));
  }
  return std::bit_cast<double>(largest);
}

/// Returns true if factor * |b_kj| > threshold_j for some j.
bool any_exceeds(double factor, const double* b, const double* threshold, std::int64_t columns) {
  // Columns between two checks: the compiler vectorises the comparisons.
  constexpr std::int64_t kBlock = 64;
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

/// The thresholds of each row, computed when they are first needed: most terms show in one of the
/// first rows.
class Thresholds {
 public:
  Thresholds(const Gemm& problem, const Expected& expected, double alpha)
      : expected_(expected),
        alpha_(alpha),
        // The rounding to a narrower output hides half a step on either side, an exact value's too.
        rounded_(problem.type_c == problem.accumulate ? 0.0 : 2.0 * unit_roundoff(problem.type_c)),
        values_(std::make_unique_for_overwrite<double[]>(expected.value.values.size())),
        least_(static_cast<std::size_t>(expected.value.rows), kUnknown) {}

  /// The least threshold of a row.
  double least(std::int64_t row) {
    double& least = least_[static_cast<std::size_t>(row)];
    if (least == kUnknown) {
      const std::int64_t columns = expected_.value.columns;
      least = vectorized([&] {
        return visible_from(expected_.value.values.data() + row * columns,
                            expected_.tolerance.values.data() + row * columns, rounded_, alpha_,
                            values_.get() + row * columns, columns);
      });
    }
    return least;
  }

  /// The thresholds of a row after a call of least().
  [[nodiscard]] const double* row(std::int64_t number) const {
    return values_.get() + number * expected_.value.columns;
  }

 private:
  static constexpr double kUnknown = -1.0;

  const Expected& expected_;
  double alpha_;
  double rounded_;
  std::unique_ptr<double[]> values_;
  std::vector<double> least_;
};

/// The expected elements of one row, and those before the launch.
struct ExpectedRow {
  const double* value;
  const double* tolerance;
  double overflow_threshold;
  const double* before;  // null: not known
  std::int64_t columns;
};

/// Returns how many elements show that D was left as it was, or with `or_zeroed` set to zero.
std::int64_t showing(const ExpectedRow& row, bool or_zeroed) {
  std::int64_t count = 0;
  for (std::int64_t j = 0; j < row.columns; ++j) {
    const auto shows = [&](double got) {
      return !reference::accepts(row.value[j], row.tolerance[j], got, row.overflow_threshold);
    };
    const bool shows_before = row.before != nullptr && shows(row.before[j]);
    count += shows_before | (or_zeroed & shows(0.0)) ? 1 : 0;
  }
  return count;
}

/// Calls f(count) for each row with that number, as long as it returns true.
template <class F>
void for_each_showing(const Expected& expected, const Prefill& prefill, bool or_zeroed,
                      const F& f) {
  const std::int64_t columns = expected.value.columns;
  std::vector<double> same;
  if (prefill.is_known() && prefill.matrix() == nullptr) {
    same.assign(static_cast<std::size_t>(columns), prefill(0, 0));
  }
  for (std::int64_t i = 0; i < expected.value.rows; ++i) {
    const double* const before = !prefill.is_known() ? nullptr
                                 : prefill.matrix() == nullptr
                                     ? same.data()
                                     : prefill.matrix()->values.data() + i * columns;
    const ExpectedRow row{expected.value.values.data() + i * columns,
                          expected.tolerance.values.data() + i * columns,
                          expected.overflow_threshold, before, columns};
    if (!f(vectorized([&] { return showing(row, or_zeroed); }))) return;
  }
}

bool right_before_the_launch(const Expected& expected, const Prefill& prefill) {
  bool is_right = true;
  for_each_showing(expected, prefill, false,
                   [&](std::int64_t count) { return is_right = count == 0; });
  return is_right;
}

double sensitivity_without_terms(const Expected& expected, const Prefill& prefill) {
  std::int64_t seen = 0;
  for_each_showing(expected, prefill, true, [&](std::int64_t count) {
    seen += count;
    return true;
  });
  return static_cast<double>(seen) / static_cast<double>(expected.value.values.size());
}

}  // namespace

double sensitivity(const Gemm& problem, const Expected& expected, const Prefill& prefill) {
  const std::int64_t rows = problem.a.rows;
  const std::int64_t columns = problem.b.columns;
  const std::int64_t terms = problem.a.columns;
  if (rows == 0 || columns == 0) return 1.0;
  const double alpha = reference::round_to(problem.accumulate, problem.alpha);
  if (terms == 0 || alpha == 0.0) return sensitivity_without_terms(expected, prefill);

  if (problem.beta == 0.0 && prefill.is_known() && right_before_the_launch(expected, prefill)) {
    return 0.0;
  }

  Thresholds thresholds(problem, expected, alpha);
  std::int64_t visible = 0;
  for (std::int64_t k = 0; k < terms; ++k) {
    const double* const b = problem.b.values.data() + k * columns;
    const double largest = vectorized([&] { return largest_of(b, columns); });
    for (std::int64_t i = 0; i < rows; ++i) {
      const double factor = std::abs(problem.a(i, k));
      if (factor * largest > thresholds.least(i) &&
          any_exceeds(factor, b, thresholds.row(i), columns)) {
        ++visible;
        break;
      }
    }
  }
  return static_cast<double>(visible) / static_cast<double>(terms);
}

}  // namespace warpcheck::campaign::judge
