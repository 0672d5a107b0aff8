// Sums and products in any order.
#include <algorithm>
#include <cmath>

#include "reference/evaluate/arithmetic.hpp"
#include "reference/format.hpp"
#include "reference/grid.hpp"

namespace warpcheck::reference {
namespace {

Totals totals(const Terms& terms) {
  Totals all;
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const double magnitude = std::abs(terms.values[i]);
    all.value += terms.values[i];
    if (std::isfinite(magnitude)) all.magnitude += magnitude;
    all.error += terms.errors[i];
    all.terms += magnitude == 0.0 && terms.errors[i] == 0.0 ? 0.0 : 1.0;
  }
  return all;
}

/// True if one of the terms is NaN for certain.
bool has_nan(const Terms& terms) {
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    if (std::isnan(terms.values[i]) && terms.errors[i] == 0.0) return true;
  }
  return false;
}

/// The exponent of the step of which all terms are multiples.
int step_exponent(const Terms& terms) {
  Grid grid;
  for (const double value : terms.values) grid.include(value);
  return grid.exponent;
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

bool Arithmetic::is_exact_sum(double magnitude, int exponent) const {
  if (magnitude == 0.0) return true;
  const Format& to = format(type_);
  const int sum_bits = tensor_sums_ ? tensor_sums_->fraction_bits + 1 : to.precision;
  const double step = std::ldexp(1.0, exponent);
  return step >= to.smallest_step() && magnitude <= to.largest &&
         magnitude <= std::ldexp(step, std::min(sum_bits, to.precision));
}

/// A sum of which a term is NaN or infinite. Its finite terms may overflow to the opposite infinity
/// first, so that the sum is NaN.
Bounded Arithmetic::special_sum(const Totals& all) const {
  const double finite = (all.magnitude + all.error) * (1.0 + sum_growth(all.terms + 1.0));
  const bool is_certain = std::isnan(all.value) ? std::isfinite(all.error) : finite < overflow_;
  return {all.value, is_certain ? 0.0 : kInfinity};
}

Bounded Arithmetic::sum(const Terms& terms, bool integer) const {
  const Totals all = totals(terms);
  if (has_nan(terms)) return {all.value, 0.0};
  if (!std::isfinite(all.value)) return special_sum(all);
  if (integer) return {all.value, all.error};
  return sum(all, all.error == 0.0 ? step_exponent(terms) : 0);
}

Bounded Arithmetic::sum(const Totals& all, int exponent) const {
  if (!std::isfinite(all.value)) return special_sum(all);
  const bool may_be_exact = all.error == 0.0 && !has_subnormals_;
  if (may_be_exact && is_exact_sum(all.magnitude, exponent)) return {all.value, 0.0};
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
