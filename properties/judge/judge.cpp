#include "properties/judge/judge.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "properties/judge/diagnose.hpp"

namespace warpcheck::properties::judge {
namespace {

using reference::Expected;
using reference::Matrix;

}  // namespace

double error_over_bound(double got, double expected, double tolerance) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0.0;
  if (std::isinf(tolerance)) return 0.0;
  const double ratio = std::abs(got - expected) / tolerance;
  return std::isnan(ratio) ? HUGE_VAL : ratio;
}

Judgement judge(const reference::Gemm& problem, const Expected& expected, const Matrix& got,
                const Matrix* prefill) {
  const bool fits = got.rows == expected.value.rows && got.columns == expected.value.columns;
  if (!fits) throw std::invalid_argument("judge: D has other extents than the reference");
  Judgement judgement;
  judgement.elements = static_cast<std::int64_t>(got.values.size());
  double worst = -1.0;
  for (std::int64_t i = 0; i < got.rows; ++i) {
    for (std::int64_t j = 0; j < got.columns; ++j) {
      const double value = got(i, j);
      const double right = expected.value(i, j);
      const double tolerance = expected.tolerance(i, j);
      const bool accepted = expected.accepts(i, j, value);
      const double ratio = error_over_bound(value, right, tolerance);
      if (accepted) {
        // An overflow that the bound allows is no measure of the error.
        if (ratio <= 1.0) judgement.error_over_bound = std::max(judgement.error_over_bound, ratio);
        continue;
      }
      const Disagreement here{i, j, value, right, tolerance};
      if (judgement.wrong++ == 0) judgement.first = here;
      judgement.box.add(i, j);
      if (ratio > worst) {
        worst = ratio;
        judgement.worst = here;
      }
      judgement.error_over_bound = std::max(judgement.error_over_bound, ratio);
    }
  }
  if (judgement.wrong == 0) {
    judgement.sensitivity = sensitivity(problem, expected, prefill);
  } else {
    judgement.diagnosis = diagnose(problem, expected, got, prefill);
  }
  return judgement;
}

}  // namespace warpcheck::properties::judge
