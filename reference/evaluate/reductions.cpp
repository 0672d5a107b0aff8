// Sums and products in any order.
#include <algorithm>
#include <cmath>

#include "reference/evaluate/arithmetic.hpp"
#include "reference/format.hpp"
#include "reference/grid.hpp"

namespace warpcheck::reference {
namespace {

/// Sums of the terms of one reduction.
struct Totals {
  double value = 0.0;
  double magnitude = 0.0;
  double error = 0.0;
  double terms = 0.0;  // that are not exactly zero: adding zero rounds nothing
};

Totals totals(const Terms& terms) {
  Totals all;
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const double magnitude = std::abs(terms.values[i]);
    all.value += terms.values[i];
    all.magnitude += magnitude;
    all.error += terms.errors[i];
    all.terms += magnitude == 0.0 && terms.errors[i] == 0.0 ? 0.0 : 1.0;
  }
  return all;
}

/// A sum of which a term is NaN or infinite.
Bounded special_sum(const Terms& terms, const Totals& all) {
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    if (std::isnan(terms.values[i]) && terms.errors[i] == 0.0) return {terms.values[i], 0.0};
  }
  return {all.value, std::isfinite(all.error) ? 0.0 : kInfinity};
}

bool is_exact_sum(const Terms& terms, double magnitude, const Format& format, int precision) {
  Grid grid;
  for (const double value : terms.values) grid.include(value);
  if (grid.largest == 0.0) return true;
  const double step = std::ldexp(1.0, grid.exponent);
  return step >= format.smallest_step() && magnitude <= std::ldexp(step, precision) &&
         magnitude <= format.largest;
}

}  // namespace

void Arithmetic::use_tensor_cores(const TensorSums& sums, bool has_subnormals) {
  if (type_ == ScalarType::f64 || format(type_).integer) return;
  tensor_sums_ = sums;
  has_subnormals_ = has_subnormals;
}

double Arithmetic::sum_growth(double terms) const {
  return tensor_sums_ ? sparse_tensor_growth(terms, *tensor_sums_, unit_) : terms * unit_;
}

Bounded Arithmetic::sum(const Terms& terms, bool integer) const {
  const Totals all = totals(terms);
  if (!std::isfinite(all.value)) return special_sum(terms, all);
  if (integer) return {all.value, all.error};
  const int precision = tensor_sums_ ? tensor_sums_->fraction_bits + 1 : format(type_).precision;
  const bool may_be_exact = all.error == 0.0 && !has_subnormals_;
  if (may_be_exact && is_exact_sum(terms, all.magnitude, format(type_),
                                   std::min(precision, format(type_).precision))) {
    return {all.value, 0.0};
  }
  const double largest = all.magnitude + all.error;
  const double rounding = sum_growth(all.terms + 1.0) * largest * (1.0 + 4.0 * unit_);
  const double own = (all.terms + 1.0) * 2.0 * kDoubleUnit * largest;
  const double error = all.error + rounding + own;
  return {all.value, largest + error < overflow_ ? error : kInfinity};
}

Bounded Arithmetic::product(const Terms& terms, bool integer) const {
  double value = 1.0;
  double high = 1.0;      // the largest magnitude of the product
  double greatest = 1.0;  // partial product
  double least = 1.0;     // nonzero partial product
  bool is_exact = true;
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const double product = value * terms.values[i];
    is_exact = is_exact && terms.errors[i] == 0.0 &&
               std::fma(value, terms.values[i], -product) == 0.0 &&
               terms.values[i] == std::nearbyint(terms.values[i]);
    value = product;
    const double magnitude = std::abs(terms.values[i]);
    high *= magnitude + terms.errors[i];
    greatest *= std::max(1.0, magnitude + terms.errors[i]);
    if (magnitude != 0.0) least *= std::clamp(magnitude - terms.errors[i], 0.0, 1.0);
  }
  if (!std::isfinite(value)) return {value, is_exact || std::isnan(value) ? 0.0 : kInfinity};
  const Format& to = format(type_);
  if (integer || (is_exact && greatest <= to.exact_integers())) {
    return {value, is_exact ? 0.0 : high - std::abs(value)};
  }
  if (greatest >= overflow_ || least < std::ldexp(1.0, to.smallest_exponent)) {
    return {value, kInfinity};
  }
  const double steps = static_cast<double>(terms.values.size());
  const double growth = std::expm1(steps * (std::log1p(unit_) + 4.0 * kDoubleUnit));
  return {value, (high - std::abs(value)) + growth * high};
}

}  // namespace warpcheck::reference
