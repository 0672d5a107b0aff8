// Products in any order, and the largest of several terms.
#include <algorithm>
#include <cmath>

#include "reference/evaluate/arithmetic.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

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
