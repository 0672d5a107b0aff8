#include "reference/evaluate/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference/evaluate/function_error.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

using operation::Op;

constexpr double kLeastNormal = 0x1p-126;  // least normal number of f32
constexpr double kLargestDifferenceError = 0x1p-8;
constexpr double kFastDivision = 4.0;  // 2 ULP, in units of u

/// Without this, the error of an operand that is close to that of double would be lost.
double widened(const Bounded& x) {
  return x.error == 0.0 ? 0.0 : x.error + 4.0 * kDoubleUnit * std::abs(x.value);
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5;
}

bool (*comparison(Op op))(double, double) {
  switch (op) {
    case Op::equal:
      return [](double x, double y) { return x == y; };
    case Op::unequal:
      return [](double x, double y) { return x != y; };
    case Op::less:
      return [](double x, double y) { return x < y; };
    case Op::less_equal:
      return [](double x, double y) { return x <= y; };
    case Op::greater:
      return [](double x, double y) { return x > y; };
    case Op::greater_equal:
      return [](double x, double y) { return x >= y; };
    case Op::logical_and:
      return [](double x, double y) { return x != 0.0 && y != 0.0; };
    default:
      return [](double x, double y) { return x != 0.0 || y != 0.0; };
  }
}

/// True if the truth of a comparison of numbers does not depend on their errors.
bool is_certain_truth(Op op, const Bounded& x, const Bounded& y) {
  if (x.error == 0.0 && y.error == 0.0) return true;
  if (op == Op::logical_and || op == Op::logical_or) {
    const double decides = op == Op::logical_and ? 0.0 : 1.0;
    return (x.error == 0.0 && x.value == decides) || (y.error == 0.0 && y.value == decides);
  }
  return std::abs(x.value - y.value) > x.error + y.error;
}

Bounded select(const Bounded& condition, const Bounded& x, const Bounded& y) {
  const bool chosen = condition.value != 0.0;
  if (condition.error == 0.0) return chosen ? x : y;
  return chosen ? united(x, y) : united(y, x);
}

Bounded sum_of_two(const Bounded& x, const Bounded& y, double sign) {
  const double values[] = {x.value, y.value};
  const double errors[] = {x.error, y.error};
  const Specials specials[] = {x.specials, y.specials};
  return Arithmetic::largest({values, errors, specials}, sign);
}

/// Integers are exact, and their operations are those of mathematics.
Bounded integer_operation(Op op, const Bounded& x, const Bounded& y) {
  if (x.is_any() || y.is_any()) return any_value(0.0);
  const double error = x.error + y.error;
  if (op == Op::add) return {x.value + y.value, error};
  if (op == Op::subtract) return {x.value - y.value, error};
  if (op == Op::multiply) {
    return {x.value * y.value,
            std::abs(x.value) * y.error + std::abs(y.value) * x.error + x.error * y.error};
  }
  const double quotient = std::floor(x.value / y.value);
  const double value = op == Op::floor_divide ? quotient : x.value - quotient * y.value;
  return {value, error == 0.0 ? 0.0 : kInfinity};
}

/// The function that rounds to an integer; null for another one.
double (*whole_number(Op op))(double) {
  switch (op) {
    case Op::floor:
      return [](double x) { return std::floor(x); };
    case Op::ceil:
      return [](double x) { return std::ceil(x); };
    case Op::trunc:
      return [](double x) { return std::trunc(x); };
    case Op::round:
      return [](double x) { return std::nearbyint(x); };
    default:
      return nullptr;
  }
}

/// True for a function that is infinite in double at numbers.
bool grows_beyond_double(Op op) {
  return op == Op::exp || op == Op::exp2 || op == Op::expm1 || op == Op::sinh || op == Op::cosh;
}

/// The largest distance of a function within the error of its argument.
template <class Function>
double spread(const Function& f, const Bounded& x, double value,
              Slope slope = Slope::farthest_at_ends) {
  const double error = widened(x);
  if (error == 0.0 || !std::isfinite(error)) return error;
  if (slope == Slope::at_most_one) return std::min(error, 2.0);
  const auto branch = [](double argument) { return std::floor(argument / std::numbers::pi + 0.5); };
  if (slope == Slope::poles && branch(x.value - error) != branch(x.value + error)) return kInfinity;
  const double distance =
      std::max(std::abs(f(x.value + error) - value), std::abs(f(x.value - error) - value));
  return std::isnan(distance) || std::isnan(f(x.value - error)) ? kInfinity : distance;
}

}  // namespace

Arithmetic::Arithmetic(ScalarType type, bool fast_math)
    : type_(type),
      is_fast_(fast_math && type == ScalarType::f32),
      unit_(unit_roundoff(type)),
      step_(is_fast_ ? kLeastNormal : format(type).smallest_step()),
      overflow_(format(type).overflow_threshold()),
      tracked_(overflow_ * 0x1p-100) {}

Bounded Arithmetic::rounded(double value, double inherited, bool is_exact, double roundings) const {
  if (!(inherited < kInfinity)) return any_value(value);
  if (is_exact && inherited == 0.0 && round_to(type_, value) == value) return {value, 0.0};
  const double own = is_exact ? 0.0 : 2.0 * kDoubleUnit * std::abs(value);
  const double rounding = roundings * unit_ * (std::abs(value) + inherited) * (1.0 + 4.0 * unit_);
  const double error = (inherited + rounding + own + roundings * step_) * (1.0 + 8.0 * kDoubleUnit);
  Bounded result{value, error};
  if (!(std::abs(value) + error < overflow_)) {
    result.specials = overflow_of(value + error, error - value);
  }
  return result;
}

Bounded Arithmetic::add(const Bounded& x, const Bounded& y) const {
  const double value = x.value + y.value;
  if (!std::isfinite(value)) return {value, 0.0, kBeyondDouble};
  const double tail = value - x.value;  // Knuth's two-sum: exact if the rest is zero
  const double rest = (x.value - (value - tail)) + (y.value - tail);
  Bounded result = rounded(value, x.error + y.error, rest == 0.0, 1.0);
  join_sums(x, y, result);
  return result;
}

Bounded Arithmetic::multiply(const Bounded& x, const Bounded& y) const {
  const double value = x.value * y.value;
  if (!std::isfinite(value)) return {value, 0.0, kBeyondDouble};
  const double inherited =
      std::abs(x.value) * y.error + std::abs(y.value) * x.error + x.error * y.error;
  Bounded result = rounded(value, inherited, std::fma(x.value, y.value, -value) == 0.0, 1.0);
  if (may_be_scaled(x) || may_be_scaled(y)) {
    const Bounded& sum = may_be_scaled(x) ? x : y;
    const Bounded& other = may_be_scaled(x) ? y : x;
    const double largest = std::abs(other.value) + other.error;
    scale_sum(sum, other,
              {other.value, largest, std::abs(sum.value) * other.error, 1.0, other.error == 0.0},
              result);
  } else {
    add_partial_products(x, std::max(std::abs(y.value) + y.error, partial_product(y)),
                         partial_product(x) + partial_product(y) != 0.0, result);
  }
  return result;
}

Bounded Arithmetic::divide(const Bounded& x, const Bounded& y) const {
  const double value = x.value / y.value;
  const double smallest = std::abs(y.value) - y.error;
  if (y.error != 0.0 && smallest <= 0.0) return any_value(value);
  if (y.value == 0.0) {  // kernels differ in the sign of a zero that they compute
    const bool is_zero = x.value == 0.0 && x.error == 0.0;
    const bool may_be_zero = std::abs(x.value) <= x.error;
    return with_specials(nullptr, is_zero ? kNan : may_be_zero ? kAnySpecial : kInfinities, value);
  }
  if (!std::isfinite(value)) return {value, 0.0, kBeyondDouble};
  const double inherited = (x.error + std::abs(value) * y.error) / smallest;
  const bool is_exact = (is_power_of_two(y.value) || x.value == 0.0) && inherited == 0.0;
  const double roundings = is_exact ? 1.0 : is_fast_ ? kFastDivision : 3.0;
  Bounded result = rounded(value, inherited, is_exact, roundings);
  // The reciprocal of a large number is subnormal.
  if (!is_exact && 1.0 / smallest < step_ / unit_) result.error += step_ * std::abs(x.value);
  if (may_be_scaled(x)) {
    const bool scales_exactly = is_power_of_two(y.value) && y.error == 0.0;
    scale_sum(x, y,
              {1.0 / y.value, 1.0 / smallest, std::abs(value) * y.error / smallest,
               is_fast_ ? kFastDivision : 1.0, scales_exactly},
              result);
  } else {
    const bool has_order = partial_product(x) != 0.0 || 1.0 / smallest >= overflow_;
    add_partial_products(x, 1.0 / smallest, has_order, result);
  }
  return result;
}

Bounded Arithmetic::constant(const operation::Node& node) const {
  if (node.type == operation::Type::integer || !std::isfinite(node.number)) {
    return {node.number, 0.0};
  }
  return {node.number, std::abs(round_to(type_, node.number) - node.number)};
}

/// exp(a - b) may be exp2(log2(e) a - log2(e) b), and exp(a - b) / c may be exp(a - (b + log(c))).
/// Where a = b exactly, the former is exact, and the latter loses log(c) if b is that large.
double Arithmetic::difference_error(const Bounded& x, double roundings) const {
  if (!x.is_sum) return 0.0;
  const double error = roundings * unit_ * (x.plus + x.minus);
  const bool is_zero = x.value == 0.0 && x.error == 0.0;
  return is_zero && error > kLargestDifferenceError ? 0.0 : error;
}

Bounded Arithmetic::function(Op op, const Bounded& x) const {
  if (const auto whole = whole_number(op)) {
    return {whole(x.value), spread(whole, x, whole(x.value))};
  }
  const FunctionError& known = is_fast_ ? fast_function_error(op) : function_error(op);
  const double value = known.compute(x.value);
  if (!std::isfinite(value)) {
    for (const double end : {x.value - x.error, x.value + x.error}) {
      if (special_of(known.compute(end)) != special_of(value)) return any_value(value);
    }
    return {value, 0.0, x.is_number() && grows_beyond_double(op) ? kBeyondDouble : Specials{0}};
  }
  if (std::isinf(x.value)) return rounded(value, 0.0, value == std::trunc(value), known.roundings);
  Bounded argument = as_term(x);
  argument.error += difference_error(x, known.argument_roundings);
  const double inherited = spread(known.compute, argument, value, known.slope) +
                           known.argument_roundings * unit_ * std::abs(x.value * value) +
                           (known.absolute == nullptr ? 0.0 : known.absolute(x.value));
  Bounded result = rounded(value, inherited, false, known.roundings);
  if (op == Op::exp && x.is_sum) add_scaled_argument(x, result);
  return result;
}

/// x^y is monotone in y, and in x at each side of 0: it is farthest at corners of the intervals of
/// x and y, or at x = 0. If x may be negative, y must be a certain integer.
Bounded Arithmetic::pow(const Bounded& x, const Bounded& y) const {
  const double value = std::pow(x.value, y.value);
  const auto is_exactly = [](const Bounded& operand, double number) {
    return operand.value == number && operand.error == 0.0 && operand.specials == 0;
  };
  if (is_exactly(y, 0.0) || is_exactly(x, 1.0)) return {1.0, 0.0};
  const double x_error = widened(x);
  const double y_error = widened(y);
  if (x.specials != 0 || y.specials != 0) return any_value(value);
  if (x_error == 0.0 && y_error == 0.0 && !std::isfinite(value)) {
    const bool is_beyond = x.is_number() && y.is_number() && x.value != 0.0 && std::isinf(value);
    return {value, 0.0, is_beyond ? kBeyondDouble : Specials{0}};
  }
  const bool is_integer = y_error == 0.0 && y.value == std::trunc(y.value);
  if (!std::isfinite(x_error + y_error) || (x.value - x_error < 0.0 && !is_integer)) {
    return {value, kInfinity};
  }
  const bool has_zero = std::abs(x.value) <= x_error;
  double inherited = has_zero ? std::abs(std::pow(0.0, y.value) - value) : 0.0;
  for (const double base : {x.value - x_error, x.value + x_error}) {
    for (const double exponent : {y.value - y_error, y.value + y_error}) {
      const double distance = std::abs(std::pow(base, exponent) - value);
      if (std::isnan(distance)) return {value, kInfinity};
      inherited = std::max(inherited, distance);
    }
  }
  if (value == 0.0 && inherited == 0.0) return {value, 0.0};
  const PowError& known = pow_error(is_fast_);
  const double magnitude = std::abs(value) + inherited;
  double scaled_logarithm = magnitude * std::abs(std::log(magnitude));  // |y log(x)| x^y
  constexpr double kLargestBelowOne = 0.37;  // -p log(p) is at most 1 / e
  if (inherited != 0.0)
    scaled_logarithm = std::max(scaled_logarithm, std::min(magnitude, kLargestBelowOne));
  const double own = known.argument_roundings * unit_ * scaled_logarithm +
                     known.per_exponent * std::abs(y.value) * magnitude;
  return rounded(value, inherited + own, false, known.roundings);
}

Bounded Arithmetic::apply(const operation::Node& node, const Bounded& x, const Bounded& y,
                          const Bounded& z) const {
  switch (node.op) {
    case Op::negate:
      return negated(x);
    case Op::absolute:
      return magnitude_of(x);
    case Op::minimum:
      return sum_of_two(x, y, -1.0);
    case Op::maximum:
      return sum_of_two(x, y, 1.0);
    case Op::select:
      return select(x, y, z);
    case Op::either:
      return select({1.0, 1.0}, x, y);
    case Op::convert:
      return round(node.target, x);
    case Op::pow:
      return pow(x, y);
    default:
      break;
  }
  if (node.op >= Op::floor) {
    Bounded result = x.is_ordinary() ? function(node.op, x) : special_function(node.op, x);
    result.is_weight = node.op == Op::exp || node.op == Op::exp2;
    return result;
  }
  if (node.type == operation::Type::integer) return integer_operation(node.op, x, y);
  const bool is_ordinary = x.is_ordinary() && y.is_ordinary();
  Bounded result =
      is_ordinary ? ordinary_operation(node.op, x, y) : special_operation(node.op, x, y);
  result.is_weight = (node.op == Op::multiply && (x.is_weight || y.is_weight)) ||
                     (node.op == Op::divide && x.is_weight);
  if (is_mean(node, x)) add_updates_of_mean(x, y.value, result);
  return result;
}

Bounded Arithmetic::ordinary_operation(Op op, const Bounded& x, const Bounded& y) const {
  if (op == Op::add) return add(x, y);
  if (op == Op::subtract) return add(x, negated(y));
  return op == Op::multiply ? multiply(x, y) : divide(x, y);
}

Bounded Arithmetic::compare(Op op, const Bounded& x, const Bounded& y) {
  if (op == Op::logical_not) return {x.value == 0.0 ? 1.0 : 0.0, x.error};
  const auto holds = comparison(op);
  const double value = holds(x.value, y.value) ? 1.0 : 0.0;
  if (x.is_any() || y.is_any()) {
    const bool decides = x.is_nan() || y.is_nan() || is_certain_truth(op, x, y);
    return {value, decides ? 0.0 : 1.0};
  }
  if (x.is_ordinary() && y.is_ordinary()) return {value, is_certain_truth(op, x, y) ? 0.0 : 1.0};
  Truths truths = special_truths(x, y, holds);
  if (x.is_number() && y.is_number()) {
    const bool is_certain = is_certain_truth(op, x, y);
    truths.may_hold = truths.may_hold || value != 0.0 || !is_certain;
    truths.may_fail = truths.may_fail || value == 0.0 || !is_certain;
  }
  // Two numbers beyond double have no order in double.
  const bool is_beyond = ((x.specials | y.specials) & kBeyondDouble) != 0 && x.value == y.value;
  if (is_beyond || (truths.may_hold && truths.may_fail)) return {value, 1.0};
  return {truths.may_hold ? 1.0 : 0.0, 0.0};
}

std::vector<double> Arithmetic::positions_of_largest(const Terms& terms,
                                                     std::span<const double> positions, double sign,
                                                     bool takes_equal) {
  if (terms.values.empty()) return {-1.0};
  std::size_t best = 0;
  double low = -kInfinity;
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const Bounded term = terms.at(i);
    if (term.is_any() || (specials_of(term) & kNan) != 0) return {};
    if (sign * terms.values[i] > sign * terms.values[best]) best = i;
    low = std::max(low, range_of(term, sign).low);
  }
  const auto is_exact = [&](std::size_t i) {
    return terms.errors[i] == 0.0 && terms.at(i).specials == 0;
  };
  std::vector<double> correct = {positions[best]};
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const bool is_uncertain = takes_equal || !is_exact(i) || !is_exact(best);
    if (i != best && is_uncertain && range_of(terms.at(i), sign).high >= low) {
      correct.push_back(positions[i]);
    }
  }
  return correct;
}

Bounded Arithmetic::round(ScalarType type, const Bounded& x) {
  const auto convert = [type](double value) { return round_to(type, value); };
  if (x.is_any()) return any_value(convert(x.value));
  const Bounded within = within_type(type, x);
  if (!within.is_number()) return within;
  const double value = convert(within.value);
  const Bounded numbers{value, spread(convert, numbers_of(within), value)};
  return with_specials(&numbers, within.specials, value);
}

}  // namespace warpcheck::reference
