// Operations of NaN and infinities, and of numbers whose partial results may overflow.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "reference/evaluate/arithmetic.hpp"

namespace warpcheck::reference {
namespace {

using operation::Op;

double (*operation_of(Op op))(double, double) {
  switch (op) {
    case Op::add:
      return [](double x, double y) { return x + y; };
    case Op::subtract:
      return [](double x, double y) { return x - y; };
    case Op::multiply:
      return [](double x, double y) { return x * y; };
    default:
      return [](double x, double y) { return x / y; };
  }
}

Bounded without_flags(Bounded x) {
  x.specials = 0;
  return x;
}

bool is_beyond(const Bounded& x) { return (x.specials & kBeyondDouble) != 0; }

/// The least magnitude of a number.
double least_magnitude(const Bounded& x) { return std::abs(x.value) - x.error; }

/// An operation of which an operand is beyond double: what is certain of it, otherwise any value.
Bounded beyond_operation(Op op, const Bounded& x, const Bounded& y) {
  const double value = operation_of(op)(x.value, y.value);
  const Bounded& other = is_beyond(x) ? y : x;
  const bool is_left = is_beyond(x);
  const Bounded same{value, 0.0, kBeyondDouble};
  if (!other.is_ordinary()) return any_value(value);
  if (op == Op::add || op == Op::subtract) return same;
  if (op == Op::multiply) return least_magnitude(other) >= 1.0 ? same : any_value(value);
  if (!is_left) {
    const double largest = std::abs(other.value) + other.error;
    return {0.0, largest / std::numeric_limits<double>::max()};
  }
  const bool grows = least_magnitude(other) > 0.0 && std::abs(other.value) + other.error <= 1.0;
  return grows ? same : any_value(value);
}

}  // namespace

Specials Arithmetic::overflow_of(double plus, double minus) const {
  const bool is_plus = plus >= overflow_;
  if (is_plus && minus >= overflow_) return kAnySpecial;
  return is_plus ? kPlusInfinity : minus >= overflow_ ? kMinusInfinity : Specials{0};
}

void Arithmetic::add_partial_products(const Bounded& x, double factor, bool has_order,
                                      Bounded& result) const {
  const double largest =
      std::max({1.0, std::abs(x.value) + x.error, partial_product(x)}) * std::max(1.0, factor);
  result.plus = largest;
  if (!has_order) return;
  // A partial product may be subnormal, or 0, before it is multiplied by the other factors.
  if (std::abs(result.value) < largest * step_ / unit_ && result.value != 0.0) {
    result.error += 2.0 * step_ * largest;
  }
  if (largest < overflow_) return;
  const bool is_zero = result.value == 0.0 && result.error == 0.0;
  result.specials |= is_zero                                  ? kNan
                     : std::abs(result.value) <= result.error ? kAnySpecial
                     : result.value > 0.0                     ? kPlusInfinity
                                                              : kMinusInfinity;
}

/// exp(x - y) may be exp2(a - b), where the products a and b with log2(e) may overflow.
void Arithmetic::add_scaled_argument(const Bounded& x, Bounded& result) const {
  const Specials specials =
      overflow_of(std::numbers::log2e * x.plus, std::numbers::log2e * x.minus);
  if ((specials & kMinusInfinity) != 0) result = united(result, Bounded{});
  result.specials |= static_cast<Specials>(specials & ~kMinusInfinity);
}

/// Keeps the partial results of a product or quotient of which an operand is not ordinary.
void Arithmetic::keep_partial_results(Op op, const Bounded& x, const Bounded& y,
                                      Bounded& result) const {
  const bool divides = op == Op::divide;
  if ((op != Op::multiply && !divides) || result.is_any() || result.is_nan()) return;
  const auto largest = [](const Bounded& operand) {
    return operand.is_number()
               ? std::max(std::abs(operand.value) + operand.error, partial_product(operand))
               : 1.0;
  };
  const double factor = !divides        ? largest(y)
                        : y.is_number() ? 1.0 / std::max(least_magnitude(y), 0.0)
                                        : 1.0;
  if (may_be_scaled(x)) {
    add_scaled_sums(x, y, factor, result);
  } else if (may_be_scaled(y) && !divides) {
    add_scaled_sums(y, x, largest(x), result);
  } else if (result.is_number()) {
    result.plus = std::max(1.0, largest(x)) * std::max(1.0, factor);
  }
}

/// The numbers of a sum that is infinite may overflow to the other infinity first.
void Arithmetic::keep_partial_sums(Op op, const Bounded& x, const Bounded& y,
                                   Bounded& result) const {
  const bool is_certain = is_beyond(x) || is_beyond(y) || result.is_any() || result.is_nan();
  if ((op != Op::add && op != Op::subtract) || is_certain) return;
  join_sums(x, op == Op::add ? y : negated(y), result);
}

Bounded Arithmetic::special_operation(Op op, const Bounded& x, const Bounded& y) const {
  const auto f = operation_of(op);
  if (x.is_nan() || y.is_nan()) return {kNanValue, 0.0};
  if (x.is_any() || y.is_any()) return any_value(f(x.value, y.value));
  if (is_beyond(x) || is_beyond(y) || !x.is_number() || !y.is_number()) {
    Bounded result = is_beyond(x) || is_beyond(y) ? beyond_operation(op, x, y)
                                                  : special_result(x, y, f, nullptr);
    keep_partial_results(op, x, y, result);
    keep_partial_sums(op, x, y, result);
    return result;
  }
  const Bounded one = without_flags(x);
  const Bounded other = without_flags(op == Op::subtract ? negated(y) : y);
  const Bounded numbers = op == Op::multiply ? multiply(one, other)
                          : op == Op::divide ? divide(one, other)
                                             : add(one, other);
  if (numbers.is_any() || is_beyond(numbers)) return any_value(numbers.value);
  Bounded result = special_result(x, y, f, &numbers);
  keep_partial_results(op, x, y, result);
  return result;
}

Bounded Arithmetic::special_function(Op op, const Bounded& x) const {
  const Bounded at_value = function(op, without_flags(x));
  if (x.is_any()) return any_value(at_value.value);
  if (is_beyond(x)) {  // certain if the function is constant there
    const double largest = std::copysign(std::numeric_limits<double>::max(), x.value);
    const Bounded before = function(op, {largest, 0.0});
    if (before.value == at_value.value || is_beyond(before)) return before;
    return any_value(at_value.value);
  }
  Bounded result = at_value;
  for (const double special : {kInfinity, -kInfinity, kNanValue}) {
    if ((x.specials & special_of(special)) == 0) continue;
    const Bounded other = function(op, {special, 0.0});
    if (is_beyond(result) && other.value == result.value) continue;
    result = united(result, other);
  }
  return result;
}

}  // namespace warpcheck::reference
