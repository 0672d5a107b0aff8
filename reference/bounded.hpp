// The values that correct kernels compute for one number: an interval, and NaN or infinities that
// may take its place.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/scalar_type.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {

/// Flags of values.
using Specials = std::uint8_t;
inline constexpr Specials kNan = 1;
inline constexpr double kNanValue = std::numeric_limits<double>::quiet_NaN();
inline constexpr Specials kPlusInfinity = 2;
inline constexpr Specials kMinusInfinity = 4;
inline constexpr Specials kAnySpecial = kNan | kPlusInfinity | kMinusInfinity;
inline constexpr Specials kInfinities = kPlusInfinity | kMinusInfinity;
/// The value is infinite because double has no such number. A kernel may keep the finite one by
/// computing in another way: log(exp(1000)).
inline constexpr Specials kBeyondDouble = 8;

/// A value computed in double. A kernel computes
///   - a number with |computed - value| <= error, if `value` is one; if the error is infinite, any
///     value, NaN included;
///   - `value` itself, if it is NaN or infinite;
///   - or instead one of `specials`: IEEE 754 gives them where a partial result overflows.
struct Bounded {
  double value = 0.0;
  double error = 0.0;
  Specials specials = 0;
  bool is_sum : 1 = false;      // `plus` and `minus` are of partial sums; false: of products
  bool is_reduced : 1 = false;  // some terms of this sum are those of a `sum`
  bool is_scaled : 1 = false;   // this sum contains a `sum` that is multiplied by a factor
  bool is_weight : 1 = false;   // a factor is an exponential, which may be relative to another one
  /// Kernels compute all terms of a sum as multiples of 2^exponent.
  std::int16_t exponent = 0;
  /// The terms other than zero of a sum that a kernel may continue, or begin with another number.
  /// 0: a number, or a sum of zeros if `is_reduced`.
  std::uint32_t terms = 0;
  /// The largest partial results, positive and negative, where a kernel sums or multiplies in
  /// another order. Those of a sum are the sums of its positive and of its negative terms with
  /// their errors; that of a product is at least 1. 0: none.
  double plus = 0.0;
  double minus = 0.0;
  double term_errors = 0.0;  // errors of the terms, added up; 0 without terms

  [[nodiscard]] bool is_any() const { return error == kInfinity; }
  [[nodiscard]] bool is_number() const { return std::abs(value) < kInfinity; }
  /// True for an interval of numbers alone.
  [[nodiscard]] bool is_ordinary() const {
    return specials == 0 && error < kInfinity && is_number();
  }
  /// True for a sum whose terms a kernel may add to others one by one.
  [[nodiscard]] bool is_joinable() const { return is_sum && (terms != 0 || is_reduced); }
  [[nodiscard]] bool is_nan() const { return value != value && error == 0.0 && specials == 0; }
};

[[nodiscard]] inline Bounded any_value(double value) { return {value, kInfinity}; }

/// The least and the largest value that is not NaN, infinities included.
struct Range {
  double low = 0.0;
  double high = 0.0;
};
/// The range of x; with `sign` = -1, of -x.
[[nodiscard]] Range range_of(const Bounded& x, double sign = 1.0);

[[nodiscard]] Bounded negated(const Bounded& x);
[[nodiscard]] Bounded magnitude_of(const Bounded& x);

/// The flag of NaN or of an infinity; 0 for a number.
[[nodiscard]] Specials special_of(double value);

/// The flags of `specials` and of the value itself.
[[nodiscard]] Specials specials_of(const Bounded& x);

/// `x` as one number, whatever it is a sum of.
[[nodiscard]] inline Bounded as_term(const Bounded& x) { return {x.value, x.error, x.specials}; }

/// `x` without its special values; `x` has numbers.
[[nodiscard]] Bounded numbers_of(const Bounded& x);

/// The numbers, unless they are null, and special values. Of special values alone, `preferred` is
/// the value if it is among them.
[[nodiscard]] Bounded with_specials(const Bounded* numbers, Specials specials, double preferred);

/// All values of both.
[[nodiscard]] Bounded united(const Bounded& x, const Bounded& y);

/// Adds infinities of partial results. A result that is infinite itself becomes NaN with one of the
/// other sign.
void add_infinities(Specials infinities, Bounded& result);

/// True if `got` is one of the values.
[[nodiscard]] bool includes(const Bounded& x, double got);

/// True if some value is correct for both.
[[nodiscard]] bool may_be_equal(const Bounded& x, const Bounded& y);

/// The values after a conversion to `type`, before they are rounded: those beyond its largest
/// number are infinite. In formats of eight bits they may also be the largest number, since the
/// conversions of CUDA saturate unless __NV_NOSAT is passed; e4m3 has NaN in place of infinities.
[[nodiscard]] Bounded within_type(ScalarType type, const Bounded& x);

/// The results of f by IEEE 754 where an operand is NaN or infinite, and `numbers`, which are those
/// of the numbers of both operands; null: one of them has none.
[[nodiscard]] Bounded special_result(const Bounded& x, const Bounded& y,
                                     double (*f)(double, double), const Bounded* numbers);

/// True if f can hold, and true if it can fail, where an operand is NaN or infinite.
struct Truths {
  bool may_hold = false;
  bool may_fail = false;
};
[[nodiscard]] Truths special_truths(const Bounded& x, const Bounded& y,
                                    bool (*holds)(double, double));

}  // namespace warpcheck::reference
