#include "reference/tolerances.hpp"

#include <algorithm>
#include <cmath>

#include "base/vectorized.hpp"

namespace warpcheck::reference {
namespace {

double finite_magnitude(double value) {
  const double magnitude = std::abs(value);
  return magnitude < kInfinity ? magnitude : 0.0;
}

}  // namespace

Tolerances::Tolerances(const Gemm& problem, const Effective& effective,
                       const RoundingModel& rounding, const OverflowModel& overflow,
                       double exact_limit)
    : problem_(problem),
      effective_(effective),
      rounding_(rounding),
      overflow_(overflow),
      alpha_(std::abs(effective.alpha)),
      exact_limit_(exact_limit),
      epilogue_(static_cast<std::size_t>(problem.b.columns), 0.0),
      rounded_(epilogue_),
      results_(epilogue_),
      tolerances_(epilogue_) {}

struct Tolerances::Elements {
  const Tolerances& model;
  std::size_t count;
  const double* epilogue;
  const double* values;
  const double* rounded;
  const double* sums;
  double* results;
  double* tolerances;
};

/// Returns false if some element is infinite or NaN, overflows, or may. Without branches, so that
/// the compiler can vectorise the loop.
bool Tolerances::set_ordinary(const Elements& e) {
  const RoundingModel rounding = e.model.rounding_;
  const OverflowModel overflow = e.model.overflow_;
  const double growth = rounding.growth();
  const double alpha = e.model.alpha_;
  const double exact_limit = e.model.exact_limit_;
  std::int64_t special = 0;
  for (std::size_t j = 0; j < e.count; ++j) {
    const Magnitudes m{e.sums[j], e.epilogue[j]};
    const double value = e.values[j];
    const double rounded = e.rounded[j];
    const double tolerance = rounding.tolerance(value, m, growth * m.sum);
    const bool exact = alpha * m.sum + m.c <= exact_limit;
    special |= overflow.harmless(m) ? 0 : 1;
    special |= std::abs(value) < kInfinity ? 0 : 1;
    const std::int64_t outside = overflow.is_outside(value, tolerance) ? 1 : 0;
    special |= outside & (exact ? 0 : 1);
    e.results[j] = exact ? rounded : value;
    e.tolerances[j] = exact ? 0.0 : tolerance;
  }
  return special == 0;
}

void Tolerances::set_each(const Row& row) const {
  const std::size_t count = row.values.size();
  for (std::size_t j = 0; j < count; ++j) {
    double& value = row.values[j];
    double& tolerance = row.tolerances[j];
    const Magnitudes m{tolerance, epilogue_[j]};
    if (std::isfinite(value) && alpha_ * m.sum + m.c <= exact_limit_ && overflow_.harmless(m)) {
      value = rounded_[j];
      tolerance = 0.0;
      continue;
    }
    double sum_error = rounding_.growth() * m.sum;
    if (!row.prefix_errors.empty()) sum_error = std::min(sum_error, row.prefix_errors[j]);
    tolerance = rounding_.tolerance(value, m, sum_error);
    const Specials specials = overflow_.apply(m, value, tolerance);
    if (specials == 0) continue;
    const std::int64_t element =
        row.number * static_cast<std::int64_t>(count) + static_cast<std::int64_t>(j);
    const Bounded bounded = tolerance < kInfinity
                                ? within_type(problem_.type_c, {value, tolerance, specials})
                                : any_value(value);
    value = bounded.value;
    row.uncertain->emplace(element, bounded);
    tolerance = kInfinity;
  }
}

void Tolerances::set_epilogue_magnitudes(std::int64_t row) {
  const std::size_t count = epilogue_.size();
  const Values& bias = problem_.bias.values;
  if (effective_.beta == 0.0 && bias.empty()) return;
  const double beta = std::abs(effective_.beta);
  const double* const c = problem_.c.values.data() + static_cast<std::size_t>(row) * count;
  for (std::size_t j = 0; j < count; ++j) {
    double magnitude = beta != 0.0 ? beta * finite_magnitude(c[j]) : 0.0;
    if (!bias.empty()) magnitude += finite_magnitude(bias[j]);
    epilogue_[j] = magnitude;
  }
}

bool Tolerances::set(const Row& row) {
  set_epilogue_magnitudes(row.number);
  std::ranges::copy(row.values, rounded_.begin());
  if (problem_.type_c != problem_.accumulate) round_to(problem_.type_c, rounded_);
  const Elements elements{
      *this,           row.values.size(),     epilogue_.data(), row.values.data(),
      rounded_.data(), row.tolerances.data(), results_.data(),  tolerances_.data()};
  const bool ordinary =
      row.prefix_errors.empty() && vectorized([&] { return set_ordinary(elements); });
  if (ordinary) {
    std::ranges::copy(results_, row.values.begin());
    std::ranges::copy(tolerances_, row.tolerances.begin());
  } else {
    set_each(row);
  }
  return std::ranges::any_of(row.tolerances, [](double tolerance) { return tolerance != 0.0; });
}

}  // namespace warpcheck::reference
