// Running error analysis: each operation returns its value and a bound of the distance between that
// value and what a correct kernel computes.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "base/scalar_type.hpp"
#include "operation/node.hpp"
#include "reference/bound.hpp"
#include "reference/bounded.hpp"
#include "reference/product/kernels.hpp"

namespace warpcheck::reference {

/// The terms of the terms of a sum that are sums themselves, less one for each of these.
struct NestedSums {
  double terms = 0.0;
  double plus = 0.0;  // sums of the positive and of the negative terms
  double minus = 0.0;
  int exponent = 1 << 20;  // all terms are multiples of 2^exponent

  void add(const Bounded& term);
};

/// The largest partial sums where weights of the terms are at most 1 and become less later: an
/// online softmax sums values with weights relative to the largest score so far, and multiplies the
/// sum by exp(old - new) when it meets a larger one.
struct UnweightedSums {
  double plus = 0.0;
  double minus = 0.0;

  void add(const Bounded& term);
};

/// The terms of a reduction.
struct Terms {
  std::span<const double> values;
  std::span<const double> errors;
  std::span<const Specials> specials = {};  // empty: none
  NestedSums nested = {};
  UnweightedSums unweighted = {};

  [[nodiscard]] Bounded at(std::size_t number) const {
    return {values[number], errors[number], specials.empty() ? Specials{0} : specials[number]};
  }
};

/// The terms of a sum together.
struct Totals {
  double value = 0.0;
  double magnitude = 0.0;  // largest magnitude of the finite terms
  double error = 0.0;
  double terms = 0.0;        // that are not exactly zero: adding zero rounds nothing
  double least = kInfinity;  // least magnitude of these terms, less its error
  bool is_reduced = true;    // true: the terms are those of a `sum`, so that a factor may be inside
};

/// The factor of a sum.
struct Factor {
  double value;
  double largest;    // magnitude
  double error;      // error of the product due to that of the factor
  double roundings;  // roundings of a product
  bool is_exact;     // and a product with the sum is rounded once
};

/// The arithmetic of a kernel that rounds each operation to nearest in one format.
///   x + y:  e_x + e_y
///   x y:    |x| e_y + |y| e_x + e_x e_y
///   x / y:  (e_x + |x / y| e_y) / (|y| - e_y)
///   f(x), monotone or convex: the largest distance to f(x - e_x) and f(x + e_x)
///   sin and cos:    e_x, at most 2
/// and for the rounding u (|value| + the above), with u for one operation (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2002, section 3.3). A division may also be a multiplication
/// by the reciprocal: 3 u. Functions have the errors of the CUDA C++ Programming Guide, section
/// "Mathematical Functions". The error of double is added to each. An operation whose operands and
/// result are exact has the error 0.
///
/// With fast math in f32 (--use_fast_math, or intrinsics such as __expf), divisions and functions
/// have the errors of the section "Intrinsic Functions", and subnormal numbers may be 0.
///
/// A result beyond the largest number may be infinite, or the number where the kernel does not
/// compute this partial result: in fma, or in a wider type. Sums of more than two terms, products
/// of more than two factors, a factor of a sum, and exp(x - y) as exp2(log2(e) x - log2(e) y) have
/// other partial results in another order, which may overflow where those of the definition do not.
/// From there on, each operation has the results of IEEE 754 for all that its operands may be.
class Arithmetic {
 public:
  explicit Arithmetic(ScalarType type, bool fast_math = false);

  /// Sums are those of tensor cores, which truncate. Integers and f64 are summed as without them.
  void use_tensor_cores(const TensorSums& sums, bool has_subnormals);

  /// Additions may flush subnormal numbers, as atomic additions of f32 do. Sums may without this.
  void use_atomic_additions() { flushes_addends_ = true; }

  /// The error of a sum of so many terms, relative to the sum of their magnitudes.
  [[nodiscard]] double sum_growth(double terms) const;

  /// A number of the definition, which a kernel rounds to its format, or keeps in a wider one.
  [[nodiscard]] Bounded constant(const operation::Node& node) const;

  /// An operation of one, two or three numbers; of integers, if `node.type` is integer, which are
  /// exact.
  [[nodiscard]] Bounded apply(const operation::Node& node, const Bounded& x, const Bounded& y,
                              const Bounded& z) const;

  /// A comparison or a logical operation: 1 or 0; its error is 1 if either is correct.
  [[nodiscard]] static Bounded compare(operation::Op op, const Bounded& x, const Bounded& y);

  /// |computed - exact| <= (n + 1) u sum |x_i| for n terms in any order (Jeannerod and Rump, 2013,
  /// has n - 1). Two more roundings cover a factor that the kernel applies to each term.
  /// On tensor cores, sparse_tensor_growth() of n + 1 terms takes the place of (n + 1) u.
  /// 0 if all terms are multiples of one step and every partial sum is a value of the format. An
  /// operand that is subnormal may raise the exponent at which tensor cores truncate the others.
  [[nodiscard]] Bounded sum(const Terms& terms, bool integer) const;

  /// True if the terms of a sum are numbers whose partial sums are far from an overflow.
  [[nodiscard]] bool is_ordinary_sum(const Totals& all, const UnweightedSums& unweighted) const {
    return std::abs(all.value) < kInfinity && all.magnitude + all.error < tracked_ &&
           std::max(unweighted.plus, unweighted.minus) < tracked_;
  }
  /// The same for such terms. Those that are exact are multiples of 2^exponent.
  [[nodiscard]] Bounded ordinary_sum(const Totals& all, int exponent) const;

  /// The rounding of the products in a sum; null: numbers that are rounded to integers.
  [[nodiscard]] std::optional<ProductRounding> product_rounding(bool integer) const;

  /// The same for a sum of numbers that all are multiples of 2^exponent, or infinite. Any value is
  /// correct if a partial sum can overflow.
  [[nodiscard]] Bounded sum(const Totals& all, int exponent) const;

  /// Adds the error of a mean of `count` terms, sum / count, that a kernel updates with each term,
  /// or merges of the means of parts.
  void add_updates_of_mean(const Bounded& sum, double count, Bounded& mean) const;

  /// True if partial sums may overflow, or be flushed, when they are divided by a factor of the
  /// terms.
  [[nodiscard]] bool depends_on_factor(const Bounded& sum) const;

  /// The sum of terms that all have this factor: a kernel may multiply the sum by it instead.
  [[nodiscard]] Bounded with_factor_outside(const Bounded& sum, const Bounded& factor) const;

  /// |computed - exact| <= ((1 + u)^(n - 1) - 1) |product| for n factors in any order (Higham,
  /// section 3.1). Infinity if a partial product can overflow or be subnormal.
  [[nodiscard]] Bounded product(const Terms& terms, bool integer) const;

  /// The largest value; with `sign` = -1 the smallest. -infinity or infinity without terms. If a
  /// term is NaN, some kernels ignore it, and others return it, or choose it by a comparison and
  /// drop it at the next one, together with the terms before it: NaN and every term are correct.
  [[nodiscard]] static Bounded largest(const Terms& terms, double sign);

  /// The positions of the largest (`sign` = -1: smallest) term that are correct: the first one is
  /// that of the first term of the largest value, others are uncertain. With `takes_equal`, that of
  /// an equal term is also correct. -1 without terms; none if a term is NaN: any position is
  /// correct.
  [[nodiscard]] static std::vector<double> positions_of_largest(const Terms& terms,
                                                                std::span<const double> positions,
                                                                double sign, bool takes_equal);

  /// `x` rounded to `type`.
  [[nodiscard]] static Bounded round(ScalarType type, const Bounded& x);

 private:
  [[nodiscard]] double sum_growth(const Totals& all) const;
  [[nodiscard]] bool is_exact_sum(const Totals& all, int exponent) const;
  /// The error of atomic additions of terms that are multiples of 2^exponent.
  [[nodiscard]] double flushed(const Totals& all, int exponent) const;
  [[nodiscard]] double sum_error(const Totals& all, int exponent) const;
  [[nodiscard]] Bounded sum_in_any_order(const Terms& terms) const;
  /// Stores in the result what it is the sum of.
  static void set_sum(const Totals& all, int exponent, Bounded& result);
  /// Makes the sum of two numbers one of all their terms, in any order.
  void join_sums(const Bounded& x, const Bounded& y, Bounded& result) const;
  /// True for a sum whose terms may be multiplied by a factor: of a `sum`; of additions, if they
  /// may overflow.
  [[nodiscard]] bool may_be_scaled(const Bounded& x) const {
    return x.is_sum && (x.is_reduced || std::max(x.plus, x.minus) >= tracked_);
  }
  /// The largest partial product of x; 0: none.
  [[nodiscard]] static double partial_product(const Bounded& x) { return x.is_sum ? 0.0 : x.plus; }
  /// Adds what the product of a sum may be where the terms are multiplied by the factor.
  void scale_sum(const Bounded& sum, const Bounded& other, const Factor& factor,
                 Bounded& result) const;
  /// True if the node divides x, a `sum`, by an extent.
  [[nodiscard]] static bool is_mean(const operation::Node& node, const Bounded& x);
  /// The infinities that partial results of these magnitudes may be; NaN where they have both
  /// signs.
  [[nodiscard]] Specials overflow_of(double plus, double minus) const;
  [[nodiscard]] Bounded rounded(double value, double inherited, bool is_exact,
                                double roundings) const;
  [[nodiscard]] Bounded ordinary_operation(operation::Op op, const Bounded& x,
                                           const Bounded& y) const;
  [[nodiscard]] Bounded add(const Bounded& x, const Bounded& y) const;
  [[nodiscard]] Bounded multiply(const Bounded& x, const Bounded& y) const;
  [[nodiscard]] Bounded divide(const Bounded& x, const Bounded& y) const;
  /// The error of an exponent that is a difference, which a kernel may compute in another way.
  [[nodiscard]] double difference_error(const Bounded& x, double roundings) const;
  [[nodiscard]] Bounded function(operation::Op op, const Bounded& x) const;
  [[nodiscard]] Bounded pow(const Bounded& x, const Bounded& y) const;

  /// Operations of which an operand is not ordinary.
  [[nodiscard]] Bounded special_operation(operation::Op op, const Bounded& x,
                                          const Bounded& y) const;
  [[nodiscard]] Bounded special_function(operation::Op op, const Bounded& x) const;

  /// Add what a result may be where the kernel computes in another order; `factor` is the magnitude
  /// by which a sum or a product is multiplied.
  void add_scaled_sums(const Bounded& sum, const Bounded& other, double factor,
                       Bounded& result) const;
  void add_partial_products(const Bounded& x, double factor, bool has_order, Bounded& result) const;
  void keep_partial_results(operation::Op op, const Bounded& x, const Bounded& y,
                            Bounded& result) const;
  void keep_partial_sums(operation::Op op, const Bounded& x, const Bounded& y,
                         Bounded& result) const;
  void add_scaled_argument(const Bounded& x, Bounded& result) const;

  ScalarType type_;
  bool is_fast_;
  double unit_;
  double step_;      // smallest distance of values; with fast math, the least normal number
  double overflow_;  // magnitudes that become infinite
  double tracked_;   // partial sums from this magnitude on are noted
  std::optional<TensorSums> tensor_sums_;
  bool has_subnormals_ = false;  // true: operands of tensor cores are subnormal
  bool flushes_addends_ = false;
};

}  // namespace warpcheck::reference
