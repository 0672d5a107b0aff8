// Sums and products in any order, and the largest of several terms.
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

/// The exponent of the step of which all terms are multiples.
int step_exponent(const Terms& terms) {
  Grid grid;
  for (const double value : terms.values) grid.include(value);
  return grid.exponent;
}

/// The largest of terms of which one may be NaN, an infinity instead of a number, or any value.
Bounded largest_of_special_terms(const Terms& terms, double sign) {
  Range numbers{kInfinity, -kInfinity};  // the least and the largest number
  double least = -kInfinity;             // the result is at least this, if no term is NaN
  double value = -kInfinity;
  Specials specials = 0;
  bool may_all_be_lowest = true;  // the infinity that any other term exceeds
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    Bounded term = terms.at(i);
    if (term.is_any()) return any_value(term.value);
    if (sign < 0.0) term = negated(term);
    const Specials own = specials_of(term);
    specials |= static_cast<Specials>(own | (term.specials & kBeyondDouble));
    may_all_be_lowest = may_all_be_lowest && (own & kMinusInfinity) != 0;
    if (!std::isnan(term.value)) value = std::max(value, term.value);
    if (own != kNan) least = std::max(least, range_of(term).low);
    if (!term.is_number()) continue;
    numbers.low = std::min(numbers.low, term.value - term.error);
    numbers.high = std::max(numbers.high, term.value + term.error);
  }
  const bool has_nan = (specials & kNan) != 0;
  if (!has_nan) {
    if (!may_all_be_lowest) specials &= static_cast<Specials>(~kMinusInfinity);
    numbers.low = std::max(numbers.low, least);
  }
  const bool is_beyond = (specials & kBeyondDouble) != 0 && std::isinf(value);
  Bounded result;
  if (numbers.low <= numbers.high) {
    if (is_beyond) return any_value(sign * value);
    const double middle = has_nan ? 0.5 * numbers.low + 0.5 * numbers.high
                                  : std::clamp(value, numbers.low, numbers.high);
    const Bounded interval{middle, std::max(numbers.high - middle, middle - numbers.low)};
    result = with_specials(&interval, specials, middle);
  } else {
    result = with_specials(nullptr, specials, value);
    if (is_beyond) result.specials |= kBeyondDouble;
  }
  return sign < 0.0 ? negated(result) : result;
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

Bounded Arithmetic::sum(const Terms& terms, bool integer) const {
  const Totals all = totals(terms);
  const bool has_numbers = std::isfinite(all.value) && terms.specials.empty();
  if (has_numbers && integer) return {all.value, all.error};
  if (has_numbers && all.error < kInfinity) {
    const bool is_tracked = all.magnitude + all.error >= tracked_;
    if (!is_tracked) {
      Bounded result = sum(all, all.error == 0.0 ? step_exponent(terms) : 0);
      result.is_sum = true;
      result.plus = 0.5 * (all.magnitude + all.value) + all.error;
      result.minus = 0.5 * (all.magnitude - all.value) + all.error;
      return result;
    }
  }
  return sum_in_any_order(terms);
}

Bounded Arithmetic::sum(const Totals& all, int exponent) const {
  if (!std::isfinite(all.value)) {
    // The numbers may overflow to the opposite infinity first, so that the sum is NaN.
    const double numbers = (all.magnitude + all.error) * (1.0 + sum_growth(all.terms + 1.0));
    const bool is_certain = std::isnan(all.value) ? std::isfinite(all.error) : numbers < overflow_;
    return {all.value, is_certain ? 0.0 : kInfinity};
  }
  const bool may_be_exact = all.error == 0.0 && !has_subnormals_;
  if (may_be_exact && is_exact_sum(all.magnitude, exponent)) return {all.value, 0.0};
  const double largest = all.magnitude + all.error;
  const double rounding = sum_growth(all.terms + 1.0) * largest * (1.0 + 4.0 * unit_);
  const double own = (all.terms + 1.0) * 2.0 * kDoubleUnit * largest;
  const double error = all.error + rounding + own;
  return {all.value, largest + error < overflow_ ? error : kInfinity};
}

/// Partial sums of the terms of one sign may overflow. An infinity then stays, unless it meets one
/// of the other sign.
Bounded Arithmetic::sum_in_any_order(const Terms& terms) const {
  Totals numbers;
  Grid grid;
  double plus = 0.0;
  double minus = 0.0;
  double largest_plus = 0.0;
  double largest_minus = 0.0;
  Specials certain = 0;
  Specials possible = 0;
  bool is_any = false;
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const Bounded term = terms.at(i);
    if (term.is_any() || (term.specials & kBeyondDouble) != 0) {
      is_any = true;
      continue;
    }
    possible |= specials_of(term);
    if (!term.is_number()) {
      if (term.specials == 0) certain |= special_of(term.value);
      continue;
    }
    const double magnitude = std::abs(term.value);
    grid.include(term.value);
    numbers.value += term.value;
    numbers.magnitude += magnitude;
    numbers.error += term.error;
    numbers.terms += magnitude == 0.0 && term.error == 0.0 ? 0.0 : 1.0;
    plus += std::max(0.0, term.value + term.error);
    minus += std::max(0.0, term.error - term.value);
    largest_plus = std::max(largest_plus, term.value + term.error);
    largest_minus = std::max(largest_minus, term.error - term.value);
  }
  if ((certain & kNan) != 0 || (certain & kInfinities) == kInfinities) return {kNanValue, 0.0};
  if (is_any) return any_value(numbers.value);
  // A rounding is at most the operand that it loses.
  const auto computed = [&](double total, double largest) {
    return total +
           std::min(sum_growth(numbers.terms + 1.0) * total, numbers.terms * (total - largest));
  };
  possible |= overflow_of(computed(plus, largest_plus), computed(minus, largest_minus));
  if ((possible & kInfinities) == kInfinities) possible |= kNan;
  if (certain != 0) {
    const double value = (certain & kPlusInfinity) != 0 ? kInfinity : -kInfinity;
    return {value, 0.0, static_cast<Specials>(possible & kNan), true, plus, minus};
  }
  if (!std::isfinite(numbers.magnitude)) return any_value(numbers.value);
  Arithmetic unlimited = *this;
  unlimited.overflow_ = kInfinity;
  Bounded result = unlimited.sum(numbers, numbers.error == 0.0 ? grid.exponent : 0);
  result.specials = possible;
  result.is_sum = true;
  result.plus = plus;
  result.minus = minus;
  return result;
}

Bounded Arithmetic::largest(const Terms& terms, double sign) {
  double value = -kInfinity;
  double low = -kInfinity;   // the result is at least this
  double high = -kInfinity;  // and at most this
  bool is_special = !terms.specials.empty();
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const double term = sign * terms.values[i];
    const double error = terms.errors[i];
    is_special = is_special || !std::isfinite(term) || error == kInfinity;
    value = std::max(value, term);
    low = std::max(low, term - error);
    high = std::max(high, term + error);
  }
  if (is_special) return largest_of_special_terms(terms, sign);
  if (terms.values.empty()) return {sign * value, 0.0};
  return {sign * value, std::max(high - value, value - low)};
}

Bounded Arithmetic::product(const Terms& terms, bool integer) const {
  if (!terms.specials.empty()) return any_value(1.0);
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
