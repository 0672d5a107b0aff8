#include "reference/evaluate/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "reference/evaluate/function_error.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

using operation::Op;

constexpr double kLeastNormal = 0x1p-126;  // of f32
constexpr double kFastDivision = 4.0;      // 2 ULP, in units of u
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Without this, the error of an operand that is close to that of double would be lost.
double widened(const Bounded& x) {
  return x.error == 0.0 ? 0.0 : x.error + 4.0 * kDoubleUnit * std::abs(x.value);
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5;
}

bool holds(Op op, double x, double y) {
  switch (op) {
    case Op::equal:
      return x == y;
    case Op::unequal:
      return x != y;
    case Op::less:
      return x < y;
    case Op::less_equal:
      return x <= y;
    case Op::greater:
      return x > y;
    case Op::greater_equal:
      return x >= y;
    case Op::logical_and:
      return x != 0.0 && y != 0.0;
    default:
      return x != 0.0 || y != 0.0;
  }
}

Bounded select(const Bounded& condition, const Bounded& x, const Bounded& y) {
  const bool chosen = condition.value != 0.0;
  const Bounded& result = chosen ? x : y;
  if (condition.error == 0.0) return result;
  const Bounded& other = chosen ? y : x;
  const double distance = std::abs(result.value - other.value);
  if (std::isnan(distance)) return {result.value, kInfinity};
  return {result.value, std::max(result.error, distance + other.error)};
}

/// True for an infinity that is multiplied or divided by a number of a certain sign.
bool is_infinity_by_nonzero(const Bounded& infinity, const Bounded& number) {
  return std::isinf(infinity.value) && infinity.error == 0.0 && std::isfinite(number.value) &&
         std::abs(number.value) > number.error;
}

Bounded of_two(const Bounded& x, const Bounded& y, double sign) {
  const double values[] = {x.value, y.value};
  const double errors[] = {x.error, y.error};
  return Arithmetic::largest({values, errors}, sign);
}

/// Integers are exact, and their operations are those of mathematics.
Bounded integer_operation(Op op, const Bounded& x, const Bounded& y) {
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
      overflow_(format(type).overflow_threshold()) {}

Bounded Arithmetic::rounded(double value, double inherited, bool is_exact, double roundings) const {
  if (!std::isfinite(value)) {
    return {value, std::isfinite(inherited) && inherited == 0.0 ? 0.0 : kInfinity};
  }
  if (is_exact && inherited == 0.0 && round_to(type_, value) == value) return {value, 0.0};
  const double own = is_exact ? 0.0 : 2.0 * kDoubleUnit * std::abs(value);
  const double rounding = roundings * unit_ * (std::abs(value) + inherited) * (1.0 + 4.0 * unit_);
  const double error = (inherited + rounding + own + roundings * step_) * (1.0 + 8.0 * kDoubleUnit);
  return std::abs(value) + error < overflow_ ? Bounded{value, error} : Bounded{value, kInfinity};
}

Bounded Arithmetic::add(const Bounded& x, const Bounded& y) const {
  const double value = x.value + y.value;
  if (!std::isfinite(value)) {
    if (std::isfinite(x.value) && std::isfinite(y.value)) return {value, kInfinity};
    return {value, std::isfinite(x.error + y.error) ? 0.0 : kInfinity};
  }
  const double tail = value - x.value;  // Knuth's two-sum: exact if the rest is zero
  const double rest = (x.value - (value - tail)) + (y.value - tail);
  return rounded(value, x.error + y.error, rest == 0.0, 1.0);
}

Bounded Arithmetic::multiply(const Bounded& x, const Bounded& y) const {
  const double value = x.value * y.value;
  if (!std::isfinite(x.error) || !std::isfinite(y.error)) return {value, kInfinity};
  if (!std::isfinite(value)) {
    const bool is_certain = (x.error == 0.0 && y.error == 0.0) || is_infinity_by_nonzero(x, y) ||
                            is_infinity_by_nonzero(y, x);
    return {value, is_certain ? 0.0 : kInfinity};
  }
  const double inherited =
      std::abs(x.value) * y.error + std::abs(y.value) * x.error + x.error * y.error;
  return rounded(value, inherited, std::fma(x.value, y.value, -value) == 0.0, 1.0);
}

Bounded Arithmetic::divide(const Bounded& x, const Bounded& y) const {
  const double value = x.value / y.value;
  const double smallest = std::abs(y.value) - y.error;
  if (!std::isfinite(x.error) || !std::isfinite(y.error) || (y.error != 0.0 && smallest <= 0.0)) {
    return {value, kInfinity};
  }
  if (!std::isfinite(value)) {
    const bool is_certain = (x.error == 0.0 && y.error == 0.0) || is_infinity_by_nonzero(x, y);
    return {value, is_certain ? 0.0 : kInfinity};
  }
  if (std::isinf(y.value) || (x.value == 0.0 && x.error == 0.0)) return {value, 0.0};
  const double inherited = (x.error + std::abs(value) * y.error) / smallest;
  if (is_power_of_two(y.value) && inherited == 0.0) return rounded(value, 0.0, true, 1.0);
  const Bounded result = rounded(value, inherited, false, is_fast_ ? kFastDivision : 3.0);
  // The reciprocal of a large number is subnormal.
  return {value, result.error + (1.0 / smallest < step_ / unit_ ? step_ * std::abs(x.value) : 0.0)};
}

Bounded Arithmetic::constant(const operation::Node& node) const {
  if (node.type == operation::Type::integer || !std::isfinite(node.number)) {
    return {node.number, 0.0};
  }
  return {node.number, std::abs(round_to(type_, node.number) - node.number)};
}

Bounded Arithmetic::function(Op op, const Bounded& x) const {
  if (const auto whole = whole_number(op)) {
    return {whole(x.value), spread(whole, x, whole(x.value))};
  }
  const FunctionError& known = is_fast_ ? fast_function_error(op) : function_error(op);
  const double value = known.compute(x.value);
  if (!std::isfinite(value)) return {value, x.error == 0.0 ? 0.0 : kInfinity};
  if (std::isinf(x.value)) return rounded(value, 0.0, value == std::trunc(value), known.roundings);
  const double inherited = spread(known.compute, x, value, known.slope) +
                           known.argument_roundings * unit_ * std::abs(x.value * value) +
                           (known.absolute == nullptr ? 0.0 : known.absolute(x.value));
  return rounded(value, inherited, false, known.roundings);
}

/// x^y is monotone in y, and in x at each side of 0: it is farthest at corners of the intervals of
/// x and y, or at x = 0. If x may be negative, y must be a certain integer.
Bounded Arithmetic::pow(const Bounded& x, const Bounded& y) const {
  const double value = std::pow(x.value, y.value);
  const bool is_one = y.value == 0.0 && y.error == 0.0;
  if (is_one || (x.value == 1.0 && x.error == 0.0)) return {1.0, 0.0};
  const double x_error = widened(x);
  const double y_error = widened(y);
  if (x_error == 0.0 && y_error == 0.0 && !std::isfinite(value)) return {value, 0.0};
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
  constexpr double kLargestBelowOne = 0.37;                             // of -p log(p): 1 / e
  if (inherited != 0.0)
    scaled_logarithm = std::max(scaled_logarithm, std::min(magnitude, kLargestBelowOne));
  const double own = known.argument_roundings * unit_ * scaled_logarithm +
                     known.per_exponent * std::abs(y.value) * magnitude;
  return rounded(value, inherited + own, false, known.roundings);
}

Bounded Arithmetic::apply(const operation::Node& node, const Bounded& x, const Bounded& y,
                          const Bounded& z) const {
  const bool integer = node.type == operation::Type::integer;
  switch (node.op) {
    case Op::negate:
      return {-x.value, x.error};
    case Op::absolute:
      return {std::abs(x.value), x.error};
    case Op::minimum:
      return of_two(x, y, -1.0);
    case Op::maximum:
      return of_two(x, y, 1.0);
    case Op::select:
      return select(x, y, z);
    case Op::either:
      return select({1.0, 1.0}, x, y);
    case Op::convert:
      return round(node.target, x);
    default:
      break;
  }
  if (node.op == Op::pow) return pow(x, y);
  const bool is_function = node.op >= Op::floor;
  const bool has_nan = (std::isnan(x.value) && x.error == 0.0) ||
                       (!is_function && std::isnan(y.value) && y.error == 0.0);
  if (has_nan) return {kNan, 0.0};
  if (is_function) return function(node.op, x);
  if (integer) return integer_operation(node.op, x, y);
  if (node.op == Op::add) return add(x, y);
  if (node.op == Op::subtract) return add(x, {-y.value, y.error});
  return node.op == Op::multiply ? multiply(x, y) : divide(x, y);
}

Bounded Arithmetic::compare(Op op, const Bounded& x, const Bounded& y) {
  if (op == Op::logical_not) return {x.value == 0.0 ? 1.0 : 0.0, x.error};
  const double value = holds(op, x.value, y.value) ? 1.0 : 0.0;
  if (x.error == 0.0 && y.error == 0.0) return {value, 0.0};
  if (op == Op::logical_and || op == Op::logical_or) {
    const double decides = op == Op::logical_and ? 0.0 : 1.0;
    const bool is_certain =
        (x.error == 0.0 && x.value == decides) || (y.error == 0.0 && y.value == decides);
    return {value, is_certain ? 0.0 : 1.0};
  }
  const double distance = std::abs(x.value - y.value);
  return {value, distance > x.error + y.error ? 0.0 : 1.0};
}

Bounded Arithmetic::largest(const Terms& terms, double sign) {
  double value = -kInfinity;
  double low = -kInfinity;   // the result is at least this
  double high = -kInfinity;  // and at most this
  bool has_nan = false;
  bool is_certain_nan = !terms.values.empty();
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const double term = sign * terms.values[i];
    const double error = terms.errors[i];
    has_nan = has_nan || std::isnan(term);
    is_certain_nan = is_certain_nan && std::isnan(term) && error == 0.0;
    if (std::isnan(term)) continue;
    value = std::max(value, term);
    low = std::max(low, error == 0.0 ? term : term - error);
    high = std::max(high, error == 0.0 ? term : term + error);
  }
  if (is_certain_nan) return {kNan, 0.0};
  if (has_nan) return {sign * value, kInfinity};
  const double error =
      std::max(high == value ? 0.0 : high - value, low == value ? 0.0 : value - low);
  return {sign * value, std::isnan(error) ? kInfinity : error};
}

std::vector<double> Arithmetic::positions_of_largest(const Terms& terms,
                                                     std::span<const double> positions, double sign,
                                                     bool of_equal) {
  if (terms.values.empty()) return {-1.0};
  std::size_t best = 0;
  double low = -kInfinity;
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    if (std::isnan(terms.values[i])) return {};
    if (sign * terms.values[i] > sign * terms.values[best]) best = i;
    low = std::max(low, sign * terms.values[i] - terms.errors[i]);
  }
  std::vector<double> correct = {positions[best]};
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const bool is_uncertain = of_equal || terms.errors[i] != 0.0 || terms.errors[best] != 0.0;
    if (i != best && is_uncertain && sign * terms.values[i] + terms.errors[i] >= low) {
      correct.push_back(positions[i]);
    }
  }
  return correct;
}

Bounded Arithmetic::round(ScalarType type, const Bounded& x) {
  const auto convert = [type](double value) { return round_to(type, value); };
  const double value = convert(x.value);
  if (!std::isfinite(x.error)) return {value, x.error};
  return {value, spread(convert, x, value)};
}

}  // namespace warpcheck::reference
