// The number type of a reference in C++. Header only, C++17.
//
//   template <class Real>
//   void softmax_reference(const Real* x, Real* y, long rows, long columns, Real scale);
//
// warpcheck calls such a function with warpcheck::Real, which carries the bound of the rounding
// errors of a kernel. Functions of numbers are found by their unqualified names: exp(x), max(x, y).
#ifndef WARPCHECK_REFERENCE_HPP
#define WARPCHECK_REFERENCE_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "reference.h"

namespace warpcheck {

namespace detail {

/// The arithmetic of the evaluation that this thread runs.
inline const warpcheck_arithmetic*& arithmetic() {
  static thread_local const warpcheck_arithmetic* current = nullptr;
  return current;
}

}  // namespace detail

/// The result of a comparison. A branch on it is uncertain if both results are possible; select()
/// is not.
class Truth {
 public:
  explicit Truth(const warpcheck_real& own) : own_(own) {}

  explicit operator bool() const {
    if (own_.error != 0.0) *detail::arithmetic()->is_uncertain = 1;
    return own_.value != 0.0;
  }
  friend bool operator!(const Truth& x) { return !static_cast<bool>(x); }
  [[nodiscard]] const warpcheck_real& own() const { return own_; }

 private:
  warpcheck_real own_;
};

class Real {
 public:
  Real() : own_() {}
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  Real(Number value)
      : own_() {  // NOLINT(google-explicit-constructor): numbers mix as built-in types do
    own_.value = static_cast<double>(value);
  }

  [[nodiscard]] double value() const { return own_.value; }
  [[nodiscard]] double error() const { return own_.error; }

  /// Truncates, for indices.
  explicit operator long() const {
    if (own_.error != 0.0) *detail::arithmetic()->is_uncertain = 1;
    return static_cast<long>(own_.value);
  }

  friend Real operator+(const Real& x) { return x; }
  friend Real operator-(const Real& x) { return apply(WARPCHECK_NEGATE, x); }
  friend Real operator+(const Real& x, const Real& y) { return apply(WARPCHECK_ADD, x, y); }
  friend Real operator-(const Real& x, const Real& y) { return apply(WARPCHECK_SUBTRACT, x, y); }
  friend Real operator*(const Real& x, const Real& y) { return apply(WARPCHECK_MULTIPLY, x, y); }
  friend Real operator/(const Real& x, const Real& y) { return apply(WARPCHECK_DIVIDE, x, y); }
  /// Adds a term to a sum, whose terms a kernel may add in any order.
  Real& operator+=(const Real& y) { return *this = apply(WARPCHECK_ACCUMULATE, *this, y); }
  Real& operator-=(const Real& y) { return *this += -y; }
  Real& operator*=(const Real& y) { return *this = *this * y; }
  Real& operator/=(const Real& y) { return *this = *this / y; }

  friend Truth operator==(const Real& x, const Real& y) { return compare(WARPCHECK_EQUAL, x, y); }
  friend Truth operator!=(const Real& x, const Real& y) { return negated(x == y); }
  friend Truth operator<(const Real& x, const Real& y) { return compare(WARPCHECK_LESS, x, y); }
  friend Truth operator<=(const Real& x, const Real& y) {
    return compare(WARPCHECK_LESS_EQUAL, x, y);
  }
  friend Truth operator>(const Real& x, const Real& y) { return y < x; }
  friend Truth operator>=(const Real& x, const Real& y) { return y <= x; }

  friend Real abs(const Real& x) { return apply(WARPCHECK_ABSOLUTE, x); }
  friend Real fabs(const Real& x) { return abs(x); }
  friend Real min(const Real& x, const Real& y) { return apply(WARPCHECK_MINIMUM, x, y); }
  friend Real max(const Real& x, const Real& y) { return apply(WARPCHECK_MAXIMUM, x, y); }
  friend Real fmin(const Real& x, const Real& y) { return min(x, y); }
  friend Real fmax(const Real& x, const Real& y) { return max(x, y); }
  friend Real floor(const Real& x) { return apply(WARPCHECK_FLOOR, x); }
  /// Rounds ties to even.
  friend Real nearbyint(const Real& x) { return apply(WARPCHECK_NEARBYINT, x); }
  friend Real rint(const Real& x) { return nearbyint(x); }
  friend Real exp(const Real& x) { return apply(WARPCHECK_EXP, x); }
  friend Real log(const Real& x) { return apply(WARPCHECK_LOG, x); }
  friend Real sqrt(const Real& x) { return apply(WARPCHECK_SQRT, x); }
  friend Real rsqrt(const Real& x) { return apply(WARPCHECK_RSQRT, x); }
  friend Real tanh(const Real& x) { return apply(WARPCHECK_TANH, x); }
  friend Real erf(const Real& x) { return apply(WARPCHECK_ERF, x); }
  friend Real exp2(const Real& x) { return apply(WARPCHECK_EXP2, x); }
  friend Real expm1(const Real& x) { return apply(WARPCHECK_EXPM1, x); }
  friend Real log2(const Real& x) { return apply(WARPCHECK_LOG2, x); }
  friend Real log10(const Real& x) { return apply(WARPCHECK_LOG10, x); }
  friend Real log1p(const Real& x) { return apply(WARPCHECK_LOG1P, x); }
  friend Real cbrt(const Real& x) { return apply(WARPCHECK_CBRT, x); }
  friend Real sin(const Real& x) { return apply(WARPCHECK_SIN, x); }
  friend Real cos(const Real& x) { return apply(WARPCHECK_COS, x); }
  friend Real tan(const Real& x) { return apply(WARPCHECK_TAN, x); }
  friend Real asin(const Real& x) { return apply(WARPCHECK_ASIN, x); }
  friend Real acos(const Real& x) { return apply(WARPCHECK_ACOS, x); }
  friend Real atan(const Real& x) { return apply(WARPCHECK_ATAN, x); }
  friend Real sinh(const Real& x) { return apply(WARPCHECK_SINH, x); }
  friend Real cosh(const Real& x) { return apply(WARPCHECK_COSH, x); }
  friend Real erfc(const Real& x) { return apply(WARPCHECK_ERFC, x); }
  friend Real ceil(const Real& x) { return apply(WARPCHECK_CEIL, x); }
  friend Real trunc(const Real& x) { return apply(WARPCHECK_TRUNC, x); }
  friend Real pow(const Real& x, const Real& y) { return apply(WARPCHECK_POW, x, y); }
  /// x if the condition holds, otherwise y. Never uncertain.
  friend Real select(const Truth& condition, const Real& x, const Real& y) {
    Real result;
    const warpcheck_arithmetic& arithmetic = *detail::arithmetic();
    arithmetic.apply(arithmetic.own, WARPCHECK_SELECT, &condition.own(), &x.own_, &y.own_,
                     &result.own_);
    return result;
  }

 private:
  static Real apply(warpcheck_operation operation, const Real& x, const Real& y = Real()) {
    Real result;
    const warpcheck_arithmetic& arithmetic = *detail::arithmetic();
    arithmetic.apply(arithmetic.own, operation, &x.own_, &y.own_, &y.own_, &result.own_);
    return result;
  }
  static Truth compare(warpcheck_operation operation, const Real& x, const Real& y) {
    return Truth(apply(operation, x, y).own_);
  }
  static Truth negated(const Truth& x) {
    warpcheck_real own = x.own();
    own.value = 1.0 - own.value;
    return Truth(own);
  }

  warpcheck_real own_;
};

static_assert(sizeof(Real) == sizeof(warpcheck_real), "an array of one is an array of the other");

/// The same for the function with double instead of Real.
inline double select(bool condition, double x, double y) { return condition ? x : y; }

namespace detail {

/// The kind of a parameter, by its type: `const Real*`, `const long*` ...
template <class Parameter>
struct Kind {
  using Plain = std::remove_cv_t<std::remove_reference_t<Parameter>>;
  using Element = std::remove_pointer_t<Plain>;
  using Number = std::remove_cv_t<Element>;
  static constexpr bool is_tensor = std::is_pointer_v<Plain>;
  static constexpr bool is_input = is_tensor && std::is_const_v<Element>;
  static constexpr bool is_output = is_tensor && !is_input;
  static constexpr bool is_extent = !is_tensor && std::is_integral_v<Plain>;
  static constexpr bool is_scalar = !is_tensor && !is_extent;
  static constexpr bool is_real = std::is_same_v<Number, Real>;
  static constexpr bool is_double = std::is_same_v<Number, double>;
  static_assert(is_extent || is_real || is_double ||
                    (is_input && std::is_same_v<Number, std::int64_t>),
                "expected const Real*, const long*, Real*, long or Real, or the same with double");
};

/// Passes the tensors, extents and scalars of a call one after the other: those of each kind in
/// their order.
class Parameters {
 public:
  explicit Parameters(const warpcheck_reference_call& call) : call_(call) {}

  template <class Parameter>
  typename Kind<Parameter>::Plain next() {
    using Kind = Kind<Parameter>;
    using Plain = typename Kind::Plain;
    if constexpr (Kind::is_input) {
      if ((call_.is_integer[input_] != 0) != std::is_integral_v<typename Kind::Number>) {
        throw std::invalid_argument(
            "expected const long* for each input of integers, and for no other");
      }
      return static_cast<Plain>(call_.input[input_++]);
    } else if constexpr (Kind::is_output) {
      return static_cast<Plain>(call_.output[output_++]);
    } else if constexpr (Kind::is_extent) {
      return static_cast<Plain>(call_.extent[extent_++]);
    } else {
      return Plain(call_.scalar[scalar_++]);
    }
  }

 private:
  const warpcheck_reference_call& call_;
  std::size_t input_ = 0;
  std::size_t output_ = 0;
  std::size_t extent_ = 0;
  std::size_t scalar_ = 0;
};

/// Throws unless the parameters are those of the operation.
template <class... Types>
void require_parameters(const warpcheck_reference_call& call) {
  const auto count = [](auto... values) { return (std::size_t{0} + ... + (values ? 1U : 0U)); };
  if (count(Kind<Types>::is_input...) != call.inputs ||
      count(Kind<Types>::is_output...) != call.outputs ||
      count(Kind<Types>::is_extent...) != call.extents ||
      count(Kind<Types>::is_scalar...) != call.scalars) {
    throw std::invalid_argument(
        "expected a parameter for each input, output, extent and scalar of the operation");
  }
  const bool is_bounded = call.arithmetic != nullptr;
  if (is_bounded && count(Kind<Types>::is_double...) != 0) {
    throw std::invalid_argument("expected Real instead of double, or `terms` in the operation");
  }
  if (!is_bounded && count(Kind<Types>::is_real...) != 0) {
    throw std::invalid_argument("expected double instead of Real, or no `terms` in the operation");
  }
}

/// Sets the arithmetic of this thread during a call.
class UsedArithmetic {
 public:
  explicit UsedArithmetic(const warpcheck_arithmetic* used) : before_(arithmetic()) {
    arithmetic() = used;
  }
  UsedArithmetic(const UsedArithmetic&) = delete;
  UsedArithmetic& operator=(const UsedArithmetic&) = delete;
  ~UsedArithmetic() { arithmetic() = before_; }

 private:
  const warpcheck_arithmetic* before_;
};

/// Calls a function whose parameters have these types.
template <class... Types, class Function>
void call_reference(const Function& function, const warpcheck_reference_call& call) {
  require_parameters<Types...>(call);
  const UsedArithmetic used(call.arithmetic);
  Parameters parameters(call);
  // Braces evaluate their elements from left to right.
  std::apply(function, std::tuple<typename Kind<Types>::Plain...>{parameters.next<Types>()...});
}

/// The parameters of a lambda or function, none of which is `auto`.
template <class Function>
struct Signature : Signature<decltype(&Function::operator())> {};
template <class Function>
struct Signature<const Function> : Signature<Function> {};
template <class Class, class Result, class... Types>
struct Signature<Result (Class::*)(Types...) const> {
  template <class Function>
  static void call(const Function& function, const warpcheck_reference_call& values) {
    call_reference<Types...>(function, values);
  }
};
template <class Result, class... Types>
struct Signature<Result (*)(Types...)> {
  template <class Function>
  static void call(const Function& function, const warpcheck_reference_call& values) {
    call_reference<Types...>(function, values);
  }
};

}  // namespace detail

}  // namespace warpcheck

#endif
