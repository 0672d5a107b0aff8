#include "reference/host/real_arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/grid.hpp"

namespace warpcheck::reference {
namespace {

using operation::Op;

// A NaN with a payload, which the instructions of the host keep.
constexpr std::uint64_t kUnset = 0x7FF8'5747'4B52'4546;
constexpr double kLeastAnyOrder = 3.0;  // terms: two have a single order
constexpr int kMostExponent = 8000;     // largest exponent of the step of a term

/// In the order of warpcheck_operation.
constexpr std::array<Op, WARPCHECK_SELECT + 1> kOps = {
    Op::add,     Op::subtract, Op::add,        Op::multiply, Op::divide, Op::negate, Op::absolute,
    Op::minimum, Op::maximum,  Op::floor,      Op::round,    Op::exp,    Op::log,    Op::sqrt,
    Op::rsqrt,   Op::tanh,     Op::erf,        Op::exp2,     Op::expm1,  Op::log2,   Op::log10,
    Op::log1p,   Op::cbrt,     Op::sin,        Op::cos,      Op::tan,    Op::asin,   Op::acos,
    Op::atan,    Op::sinh,     Op::cosh,       Op::erfc,     Op::ceil,   Op::trunc,  Op::pow,
    Op::equal,   Op::less,     Op::less_equal, Op::select};

Bounded bounded(const warpcheck_real& x) {
  Bounded number{x.value, x.error};
  const bool is_sum = x.accumulated != 0 || x.terms >= 2.0;
  if (!is_sum || !std::isfinite(x.value)) return number;
  number.is_sum = true;
  number.is_reduced = x.accumulated != 0;
  number.terms = static_cast<std::uint32_t>(x.terms);
  number.exponent =
      static_cast<std::int16_t>(std::clamp(x.exponent, -kMostExponent, kMostExponent));
  number.plus = 0.5 * (x.magnitude + x.value) + x.term_errors;
  number.minus = 0.5 * (x.magnitude - x.value) + x.term_errors;
  number.term_errors = x.term_errors;
  return number;
}

warpcheck_real real(const Bounded& x) {
  warpcheck_real result{};
  result.value = x.value;
  result.error = x.specials == 0 ? x.error : kInfinity;  // the interface has no special values
  return result;
}

bool is_zero(const warpcheck_real& x) { return x.value == 0.0 && x.error == 0.0; }

/// The number as a sum: of itself, if it is none. Zero is a sum without terms.
warpcheck_real as_sum(const warpcheck_real& x) {
  if (x.terms != 0.0) return x;
  warpcheck_real sum = x;
  sum.terms = is_zero(x) ? 0.0 : 1.0;
  sum.magnitude = std::isfinite(x.value) ? std::abs(x.value) : 0.0;
  sum.term_errors = x.error;
  Grid grid;
  grid.include(x.value);
  sum.exponent = grid.exponent;
  return sum;
}

warpcheck_real negated(warpcheck_real x) {
  x.value = -x.value;
  return x;
}

/// True if the quotient of both is a finite mean of the terms of x, of which some may be zero.
bool is_mean(const warpcheck_real& x, const warpcheck_real& y) {
  const bool is_whole = y.error == 0.0 && y.value == std::trunc(y.value);
  return x.accumulated != 0 && std::isfinite(x.value) && is_whole && y.value >= x.terms;
}

double longest_sum(const warpcheck_real& x) { return x.terms >= 2.0 ? x.terms : x.factor_terms; }

void apply_to(const void* own, warpcheck_operation operation, const warpcheck_real* x,
              const warpcheck_real* y, const warpcheck_real* z, warpcheck_real* result) {
  *result = static_cast<const RealArithmetic*>(own)->apply(operation, *x, *y, *z);
}

}  // namespace

double unset_value() { return std::bit_cast<double>(kUnset); }

bool is_unset(double value) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  return (std::bit_cast<std::uint64_t>(value) & ~kSign) == kUnset;
}

RealArithmetic::RealArithmetic(const operation::KernelArithmetic& kernel)
    : arithmetic_(kernel.type, kernel.fast_math), table_{this, apply_to, &is_uncertain_} {
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].op = kOps[i];
  if (kernel.tensor_cores) {
    arithmetic_.use_tensor_cores({kernel.fraction_bits, kernel.result_bits}, kernel.has_subnormals);
  }
}

Bounded RealArithmetic::bounded_sum(const warpcheck_real& sum) const {
  return arithmetic_.sum({sum.value, sum.magnitude, sum.term_errors, sum.terms}, sum.exponent);
}

/// The sum of two numbers, of which one may be a product with a sum: a kernel can add the other one
/// to the terms of that sum.
Bounded RealArithmetic::bounded_sum_of_two(const warpcheck_real& x, const warpcheck_real& y) const {
  Bounded result = arithmetic_.apply(nodes_[WARPCHECK_ADD], bounded(x), bounded(y), Bounded{});
  for (const auto& [product, added] : {std::pair(&x, &y), std::pair(&y, &x)}) {
    const double magnitude = std::abs(added->value) + added->error;
    if (product->factor_terms == 0.0 || result.error == 0.0 || !std::isfinite(magnitude)) continue;
    result.error += arithmetic_.sum_growth(product->factor_terms) * magnitude;
  }
  return result;
}

warpcheck_real RealArithmetic::add(const warpcheck_real& x, const warpcheck_real& y,
                                   bool accumulates) const {
  const warpcheck_real one = as_sum(x);
  const warpcheck_real other = as_sum(y);
  warpcheck_real sum{};
  sum.value = x.value + y.value;
  sum.terms = one.terms + other.terms;
  sum.magnitude = one.magnitude + other.magnitude;
  sum.term_errors = one.term_errors + other.term_errors;
  sum.factor_terms = std::max(x.factor_terms, y.factor_terms);
  sum.exponent = std::min(one.exponent, other.exponent);
  sum.accumulated = accumulates || x.accumulated != 0 || y.accumulated != 0 ? 1 : 0;
  const bool has_nan =
      (std::isnan(x.value) && x.error == 0.0) || (std::isnan(y.value) && y.error == 0.0);
  const bool is_in_any_order = sum.accumulated != 0 || sum.terms >= kLeastAnyOrder;
  Bounded result = has_nan           ? Bounded{x.value + y.value, 0.0}
                   : is_in_any_order ? bounded_sum(sum)
                                     : bounded_sum_of_two(x, y);
  if (is_in_any_order && sum.factor_terms != 0.0 && result.error != 0.0) {
    result.error += arithmetic_.sum_growth(sum.factor_terms) * sum.magnitude;
  }
  if (has_nan) sum.term_errors = 0.0;
  sum.value = result.value;
  sum.error = result.specials == 0 ? result.error : kInfinity;
  return sum;
}

warpcheck_real RealArithmetic::apply(warpcheck_operation operation, const warpcheck_real& x,
                                     const warpcheck_real& y, const warpcheck_real& z) const {
  for (const warpcheck_real* operand : {&x, &y, &z}) {
    if (is_unset(operand->value)) return *operand;
  }
  return computed(operation, x, y, z);
}

warpcheck_real RealArithmetic::computed(warpcheck_operation operation, const warpcheck_real& x,
                                        const warpcheck_real& y, const warpcheck_real& z) const {
  switch (operation) {
    case WARPCHECK_ADD:
      return add(x, y, false);
    case WARPCHECK_SUBTRACT:
      return add(x, negated(y), false);
    case WARPCHECK_ACCUMULATE:
      return add(x, y, true);
    case WARPCHECK_NEGATE:
      return negated(x);
    case WARPCHECK_EQUAL:
    case WARPCHECK_LESS:
    case WARPCHECK_LESS_EQUAL:
      return real(Arithmetic::compare(nodes_[operation].op, bounded(x), bounded(y)));
    default:
      break;
  }
  Bounded computed = arithmetic_.apply(nodes_[operation], bounded(x), bounded(y), bounded(z));
  if (operation == WARPCHECK_DIVIDE && is_mean(x, y)) {
    arithmetic_.add_updates_of_mean(bounded(x), y.value, computed);
  }
  warpcheck_real result = real(computed);
  if (operation == WARPCHECK_MULTIPLY) {
    result.factor_terms = std::max(longest_sum(x), longest_sum(y));
  }
  return result;
}

}  // namespace warpcheck::reference
