// Sums in any order: of the terms of a `sum`, and of the operands of nested additions.
//
// A kernel may add the operands of nested additions, subtractions and sums in any order and
// grouping: c + sum(x) may be ((c + x_0) + x_1) + ..., and a - (b + c) may be (a - c) - b. A number
// therefore carries the sum that it is, and an addition joins the sums of its operands. Let x_i be
// the exact terms of the joined sum, of which a kernel computes x_i + d_i with |d_i| <= e_i. The
// sum of n numbers of a format, rounded to nearest, in any order, has an error of at most
// (n - 1) u times the sum of their magnitudes (Jeannerod and Rump 2013, section 3; the sum of two
// numbers does not underflow). Hence
//   |computed - sum x_i| <= sum e_i + (n - 1) u sum (|x_i| + e_i).
// A factor of a `sum` may be multiplied with the sum or with each of its terms, which is a rounding
// more, and another one where it is a quotient: n + 1 in place of n - 1.
//
// A mean of n terms may be updated with each term (Welford 1962), m_k = m_(k-1) + (x_k - m_(k-1)) /
// k with m_1 = x_1, or be merged of the means of parts (Chan, Golub and LeVeque 1979). An update
// has at most three roundings of the difference and one of the mean, and the later ones shrink its
// error to k / n of it. With |m_k| <= S_k / k and |x_k - m_(k-1)| <= |x_k| + S_(k-1) / (k - 1),
// where S_k is the sum of the magnitudes of the first k terms, the error is at most
//   u / n sum_(k > 1) (S_k + 3 |x_k - m_(k-1)|) <= u S_n / n (n - 1 + 3 (1 + ln(n - 1))),
// which is largest where all but the first term are zero. Of parts of equal sizes it is at most
// 4 log2(n) u S_n / n, which is less. A mean that is updated is not exact where the sum is.
//
// If all terms are multiples of 2^e, and the sum of their magnitudes is at most 2^(p + e), every
// partial sum in every order is a value of the format, and the error is 0. This holds for a factor
// outside of the sum, too: where f x_i = a m_i 2^e with odd a, f = a 2^g and sum |f x_i| <= 2^(p +
// e), the sum of |x_i| is at most 2^(p + e - g), and all x_i are multiples of 2^(e - g).
#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/evaluate/arithmetic.hpp"
#include "reference/format.hpp"
#include "reference/grid.hpp"

namespace warpcheck::reference {
namespace {

constexpr int kLeastNormalExponent = -126;  // least normal exponent of f32
constexpr int kFinest = -8000;              // exponents of steps
constexpr int kCoarsest = 8000;

Totals totals(const Terms& terms) {
  Totals all;
  for (std::size_t i = 0; i < terms.values.size(); ++i) {
    const double magnitude = std::abs(terms.values[i]);
    const bool is_zero = magnitude == 0.0 && terms.errors[i] == 0.0;
    all.value += terms.values[i];
    if (std::isfinite(magnitude)) all.magnitude += magnitude;
    all.error += terms.errors[i];
    all.terms += is_zero ? 0.0 : 1.0;
    all.least = std::min(all.least, is_zero ? kInfinity : magnitude - terms.errors[i]);
  }
  all.magnitude += terms.nested.plus + terms.nested.minus;
  all.terms += terms.nested.terms;
  return all;
}

std::int16_t step(int exponent) {
  return static_cast<std::int16_t>(std::clamp(exponent, kFinest, kCoarsest));
}

/// The exponent of the step of which all terms are multiples.
int step_of(const Terms& terms) {
  int exponent = kCoarsest;
  for (const double value : terms.values) {
    exponent = std::min(exponent, step_exponent(value));
  }
  return exponent;
}

/// The exponent of the last bit of a product of this magnitude that a kernel has not rounded.
int last_bit(double magnitude, int precision) {
  constexpr int kBias = 1023;
  constexpr int kBits = 52;  // bits of a fraction in f64
  if (!(magnitude > 0.0)) return kFinest;
  if (magnitude == kInfinity) return kCoarsest;
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> kBits);
  return biased - kBias - 2 * precision;
}

/// The largest partial sums of x; `low` is that of the negative terms.
Range partial_sums(const Bounded& x) {
  if (x.is_joinable()) return {x.minus, x.plus};
  Range range{};
  if (x.is_number()) {
    range = {std::max(0.0, x.error - x.value), std::max(0.0, x.error + x.value)};
  }
  if (!x.is_sum) return range;
  return {std::max(range.low, x.minus), std::max(range.high, x.plus)};
}

std::uint32_t term_count(const Bounded& x) {
  if (x.is_joinable()) return x.terms;
  return x.value == 0.0 && x.error == 0.0 ? 0 : 1;
}

double term_errors(const Bounded& x) { return x.is_joinable() ? x.term_errors : x.error; }

int step_of(const Bounded& x, int precision) {
  if (x.is_joinable()) return x.exponent;
  return x.error == 0.0 ? step_exponent(x.value) : last_bit(std::abs(x.value) - x.error, precision);
}

}  // namespace

void NestedSums::add(const Bounded& term) {
  const Range partial = partial_sums(term);
  terms += term.terms - 1.0;
  plus += std::max(0.0, partial.high - std::max(0.0, term.value + term.error));
  minus += std::max(0.0, partial.low - std::max(0.0, term.error - term.value));
  exponent = std::min(exponent, static_cast<int>(term.exponent));
}

void UnweightedSums::add(const Bounded& term) {
  const bool is_zero = term.value == 0.0 && term.error == 0.0;
  if (!term.is_weight || term.is_sum || !term.is_number() || is_zero) return;
  if (term.value + term.error > 0.0) plus += term.plus;
  if (term.value - term.error < 0.0) minus += term.plus;
}

void Arithmetic::use_tensor_cores(const TensorSums& sums, bool has_subnormals) {
  if (type_ == ScalarType::f64 || format(type_).integer) return;
  tensor_sums_ = sums;
  has_subnormals_ = has_subnormals;
}

double Arithmetic::sum_growth(double terms) const {
  return tensor_sums_ ? sparse_tensor_growth(terms, *tensor_sums_, unit_) : terms * unit_;
}

double Arithmetic::sum_growth(const Totals& all) const {
  return all.is_reduced ? sum_growth(all.terms + 1.0) : (all.terms - 1.0) * unit_;
}

bool Arithmetic::is_exact_sum(const Totals& all, int exponent) const {
  if (all.magnitude == 0.0) return true;
  const Format& to = format(type_);
  const bool is_truncated = tensor_sums_ && all.is_reduced;
  const int sum_bits = is_truncated ? tensor_sums_->fraction_bits + 1 : to.precision;
  const double step = std::ldexp(1.0, exponent);
  return step >= to.smallest_step() && all.magnitude <= to.largest &&
         all.magnitude <= std::ldexp(step, std::min(sum_bits, to.precision));
}

/// An atomic addition of f32 flushes its operands and its result (PTX ISA, `atom`), each by less
/// than the smallest normal number.
double Arithmetic::flushed(const Totals& all, int exponent) const {
  const bool may_be_atomic = type_ == ScalarType::f32 && (all.is_reduced || flushes_addends_);
  if (!may_be_atomic || exponent >= kLeastNormalExponent) return 0.0;
  return 2.0 * (all.terms + 1.0) * std::ldexp(1.0, kLeastNormalExponent);
}

double Arithmetic::sum_error(const Totals& all, int exponent) const {
  const double flush = flushed(all, exponent);
  const bool may_be_exact =
      all.error == 0.0 && flush == 0.0 && !(has_subnormals_ && all.is_reduced);
  if (may_be_exact && is_exact_sum(all, exponent)) return 0.0;
  const double largest = all.magnitude + all.error;
  const double rounding = sum_growth(all) * largest * (1.0 + 4.0 * unit_);
  const double own = (all.is_reduced ? 2.0 * all.terms + 2.0 : all.terms) * kDoubleUnit * largest;
  return all.error + rounding + own + flush;
}

Bounded Arithmetic::sum(const Terms& terms, bool integer) const {
  const Totals all = totals(terms);
  const bool has_specials = !terms.specials.empty();
  if (integer && !has_specials && std::isfinite(all.value)) return {all.value, all.error};
  if (has_specials || !is_ordinary_sum(all, terms.unweighted)) return sum_in_any_order(terms);
  const int own = all.error == 0.0 ? step_of(terms) : kCoarsest;
  return ordinary_sum(all, std::min(own, terms.nested.exponent));
}

Bounded Arithmetic::ordinary_sum(const Totals& all, int exponent) const {
  if (all.error != 0.0) exponent = std::min(exponent, last_bit(all.least, format(type_).precision));
  Bounded result = sum(all, exponent);
  set_sum(all, exponent, result);
  result.plus = 0.5 * (all.magnitude + all.value) + all.error;
  result.minus = 0.5 * (all.magnitude - all.value) + all.error;
  return result;
}

Bounded Arithmetic::sum(const Totals& all, int exponent) const {
  if (!std::isfinite(all.value)) {
    // The numbers may overflow to the opposite infinity first, so that the sum is NaN.
    const double numbers = (all.magnitude + all.error) * (1.0 + sum_growth(all));
    const bool is_certain = std::isnan(all.value) ? std::isfinite(all.error) : numbers < overflow_;
    return {all.value, is_certain ? 0.0 : kInfinity};
  }
  const double error = sum_error(all, exponent);
  if (error == 0.0) return {all.value, 0.0};
  return {all.value, all.magnitude + all.error + error < overflow_ ? error : kInfinity};
}

void Arithmetic::set_sum(const Totals& all, int exponent, Bounded& result) {
  result.is_sum = true;
  result.is_reduced = all.is_reduced;
  result.terms = static_cast<std::uint32_t>(all.terms);
  result.exponent = step(exponent);
  result.term_errors = all.error;
}

/// Partial sums of the terms of one sign may overflow. An infinity then stays, unless it meets one
/// of the other sign.
Bounded Arithmetic::sum_in_any_order(const Terms& terms) const {
  Totals numbers;
  int exponent = terms.nested.exponent;
  double plus = terms.nested.plus;
  double minus = terms.nested.minus;
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
    numbers.value += term.value;
    numbers.magnitude += std::abs(term.value);
    numbers.error += term.error;
    numbers.terms += term_count(term);
    exponent = std::min(exponent, step_of(term, format(type_).precision));
    plus += std::max(0.0, term.value + term.error);
    minus += std::max(0.0, term.error - term.value);
    largest_plus = std::max(largest_plus, term.value + term.error);
    largest_minus = std::max(largest_minus, term.error - term.value);
  }
  numbers.magnitude += terms.nested.plus + terms.nested.minus;
  numbers.terms += terms.nested.terms;
  if ((certain & kNan) != 0 || (certain & kInfinities) == kInfinities) return {kNanValue, 0.0};
  if (is_any) return any_value(numbers.value);
  // A rounding is at most the operand that it loses.
  const auto computed = [&](double total, double largest) {
    return total + std::min(sum_growth(numbers) * total, numbers.terms * (total - largest));
  };
  possible |= overflow_of(computed(plus, largest_plus), computed(minus, largest_minus));
  // A later factor may be 0, which makes NaN of an infinity.
  const Specials later = overflow_of((1.0 + sum_growth(numbers)) * terms.unweighted.plus,
                                     (1.0 + sum_growth(numbers)) * terms.unweighted.minus);
  if (later != 0) possible |= static_cast<Specials>(later | kNan);
  if ((possible & kInfinities) == kInfinities) possible |= kNan;
  Bounded result;
  if (certain != 0) {
    const double value = (certain & kPlusInfinity) != 0 ? kInfinity : -kInfinity;
    result = {value, 0.0, static_cast<Specials>(possible & kNan)};
  } else if (!std::isfinite(numbers.magnitude)) {
    return any_value(numbers.value);
  } else {
    result = {numbers.value, sum_error(numbers, exponent), possible};
  }
  set_sum(numbers, exponent, result);
  result.plus = plus;
  result.minus = minus;
  return result;
}

void Arithmetic::join_sums(const Bounded& x, const Bounded& y, Bounded& result) const {
  const int precision = format(type_).precision;
  const Range one = partial_sums(x);
  const Range other = partial_sums(y);
  Totals all;
  all.value = result.value;
  all.magnitude = one.low + one.high + other.low + other.high;
  all.error = term_errors(x) + term_errors(y);
  all.terms = static_cast<double>(term_count(x)) + static_cast<double>(term_count(y));
  all.is_reduced = x.is_reduced || y.is_reduced;
  const int exponent = std::min(step_of(x, precision), step_of(y, precision));
  const bool has_order = all.terms > 2.0 || x.is_sum || y.is_sum;
  if (result.is_number()) {
    if (all.terms > 2.0) {
      result.error = sum_error(all, exponent);
      result.specials |= overflow_of(result.value + result.error, result.error - result.value);
    } else {
      result.error += flushed(all, exponent);
    }
  }
  set_sum(all, exponent, result);
  result.is_scaled = x.is_scaled || y.is_scaled;
  result.plus = one.high + other.high;
  result.minus = one.low + other.low;
  if (!has_order || std::max(result.plus, result.minus) < tracked_) return;
  // Each rounding is at most the smaller operand.
  const auto computed = [&](double total, double smaller) {
    return total + std::min(sum_growth(all) * total, all.terms * smaller);
  };
  add_infinities(overflow_of(computed(result.plus, std::min(one.high, other.high)),
                             computed(result.minus, std::min(one.low, other.low))),
                 result);
}

void Arithmetic::add_scaled_sums(const Bounded& sum, const Bounded& other, double factor,
                                 Bounded& result) const {
  const bool may_be_negative = other.value - other.error < 0.0;
  const bool may_be_positive = other.value + other.error > 0.0;
  const auto scaled = [&](double same, double opposite) {
    return factor * std::max(may_be_positive ? same : 0.0, may_be_negative ? opposite : 0.0);
  };
  result.is_sum = true;
  result.plus = scaled(sum.plus, sum.minus);
  result.minus = scaled(sum.minus, sum.plus);
  add_infinities(overflow_of(result.plus, result.minus), result);
}

void Arithmetic::scale_sum(const Bounded& sum, const Bounded& other, const Factor& factor,
                           Bounded& result) const {
  add_scaled_sums(sum, other, factor.largest, result);
  if (!sum.is_reduced || !result.is_number()) return;
  Totals all;
  all.value = result.value;
  all.magnitude = result.plus + result.minus;
  all.error = factor.largest * sum.term_errors + factor.error;
  all.terms = static_cast<double>(sum.terms);
  const bool is_exact = factor.is_exact && sum.term_errors == 0.0;
  const int exponent =
      sum.exponent + (is_exact ? step_exponent(factor.value)
                               : last_bit(std::abs(factor.value), format(type_).precision));
  const double rounding = unit_ * all.magnitude;
  if (std::ldexp(1.0, exponent) < step_) all.error += all.terms * step_;
  if (!is_exact) all.error += std::max(0.0, factor.roundings - 2.0) * rounding;
  result.error = std::max(result.error, sum_error(all, exponent));
  set_sum(all, exponent, result);
  result.is_scaled = true;
  if (!is_exact) result.term_errors += rounding;
}

bool Arithmetic::is_mean(const operation::Node& node, const Bounded& x) {
  return node.op == operation::Op::divide && x.is_reduced && node.operands.size() == 2 &&
         node.operands[1].type == operation::Type::integer &&
         node.operands[1].op != operation::Op::number;
}

void Arithmetic::add_updates_of_mean(const Bounded& sum, double count, Bounded& mean) const {
  if (count < 2.0 || mean.is_any()) return;
  if (!mean.is_number()) {  // the next update subtracts an infinite mean
    if (std::isinf(mean.value)) mean.specials |= kNan;
    return;
  }
  const double growth = count + 3.0 * (1.0 + std::log(count - 1.0));
  const double magnitude = (sum.plus + sum.minus + sum.term_errors) / count;
  const double updated = sum.term_errors / count + growth * unit_ * magnitude + count * step_;
  mean.error = std::max(mean.error, updated);
  // The difference of two means; or the square of it, times the count of a part, before it is
  // divided by that of both. In f16, which ends at 65504, no kernel multiplies by counts.
  const double partial = (type_ == ScalarType::f16 ? 2.0 : count) * (sum.plus + sum.minus);
  add_infinities(overflow_of(partial, partial), mean);
}

std::optional<ProductRounding> Arithmetic::product_rounding(bool integer) const {
  if (integer) return ProductRounding{};
  const Format& to = format(type_);
  if (to.integer) return {};
  constexpr int kDoublePrecision = 53;
  return ProductRounding{unit_, step_, std::ldexp(1.0, kDoublePrecision - to.precision) + 1.0,
                         std::ldexp(1.0, to.smallest_exponent), to.smallest_step()};
}

bool Arithmetic::depends_on_factor(const Bounded& sum) const {
  constexpr int kMostFactor = 24;  // exponent of a factor
  const bool may_be_flushed =
      type_ == ScalarType::f32 && sum.exponent < kLeastNormalExponent + kMostFactor;
  return sum.is_sum && (may_be_flushed || std::max(sum.plus, sum.minus) >= tracked_);
}

Bounded Arithmetic::with_factor_outside(const Bounded& sum, const Bounded& factor) const {
  const double least = std::abs(factor.value) - factor.error;
  if (!sum.is_sum || !factor.is_ordinary()) return sum;
  Bounded result = sum;
  const double largest = std::abs(factor.value) + factor.error;
  if (largest > 1.0 && sum.is_number()) {
    Totals all;
    all.terms = static_cast<double>(sum.terms);
    result.error += largest * flushed(all, sum.exponent - std::ilogb(largest) - 1);
  }
  if (least >= 1.0) return result;
  add_infinities(least <= 0.0 ? kAnySpecial : overflow_of(sum.plus / least, sum.minus / least),
                 result);
  return result;
}

}  // namespace warpcheck::reference
