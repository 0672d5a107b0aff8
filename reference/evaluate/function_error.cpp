#include "reference/evaluate/function_error.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace warpcheck::reference {
namespace {

using operation::Op;

struct FunctionRow {
  Op op;
  FunctionError error;
};

/// In the order of Op, from exp on.
constexpr std::array kFunctions = {
    FunctionRow{Op::exp, {[](double x) { return std::exp(x); }, 4.0, 2.0}},
    // exp2(x) may be exp(x log(2)).
    FunctionRow{Op::exp2, {[](double x) { return std::exp2(x); }, 4.0, 2.0}},
    FunctionRow{Op::expm1, {[](double x) { return std::expm1(x); }, 2.0}},
    FunctionRow{Op::log, {[](double x) { return std::log(x); }, 4.0}},
    // Or the natural logarithm times a constant: two roundings more.
    FunctionRow{Op::log2, {[](double x) { return std::log2(x); }, 4.0}},
    FunctionRow{Op::log10, {[](double x) { return std::log10(x); }, 4.0}},
    FunctionRow{Op::log1p, {[](double x) { return std::log1p(x); }, 2.0}},
    // 1 / rsqrt(x), or x rsqrt(x), has three roundings more than the square root.
    FunctionRow{Op::sqrt, {[](double x) { return std::sqrt(x); }, 6.0}},
    FunctionRow{Op::rsqrt, {[](double x) { return 1.0 / std::sqrt(x); }, 6.0}},
    FunctionRow{Op::cbrt, {[](double x) { return std::cbrt(x); }, 2.0}},
    FunctionRow{Op::sin, {[](double x) { return std::sin(x); }, 4.0, 0.0, Slope::at_most_one}},
    FunctionRow{Op::cos, {[](double x) { return std::cos(x); }, 4.0, 0.0, Slope::at_most_one}},
    FunctionRow{Op::tan, {[](double x) { return std::tan(x); }, 8.0, 0.0, Slope::poles}},
    FunctionRow{Op::asin, {[](double x) { return std::asin(x); }, 4.0}},
    FunctionRow{Op::acos, {[](double x) { return std::acos(x); }, 4.0}},
    FunctionRow{Op::atan, {[](double x) { return std::atan(x); }, 4.0}},
    FunctionRow{Op::sinh, {[](double x) { return std::sinh(x); }, 6.0}},
    FunctionRow{Op::cosh, {[](double x) { return std::cosh(x); }, 4.0}},
    FunctionRow{Op::tanh, {[](double x) { return std::tanh(x); }, 4.0}},
    FunctionRow{Op::erf, {[](double x) { return std::erf(x); }, 4.0}},
    FunctionRow{Op::erfc, {[](double x) { return std::erfc(x); }, 10.0}},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kFunctions.size(); ++i) {
    if (static_cast<std::size_t>(kFunctions[i].op) != static_cast<std::size_t>(Op::exp) + i) {
      return false;
    }
  }
  return true;
}
static_assert(is_in_order());

/// 2^-20.5 and 2^-14.7, and nothing beyond (PTX ISA, sin.approx and cos.approx).
double error_of_fast_sine(double x) {
  if (std::abs(x) <= 2.0 * std::numbers::pi) return 6.75e-7;
  if (std::abs(x) <= 100.0 * std::numbers::pi) return 3.76e-5;
  return std::numeric_limits<double>::infinity();
}

/// __tanf is __sinf / __cosf.
double error_of_fast_tangent(double x) {
  const double error = error_of_fast_sine(x);
  const double cosine = std::abs(std::cos(x));
  if (error >= cosine) return std::numeric_limits<double>::infinity();
  return error * (1.0 + std::abs(std::tan(x))) / (cosine - error);
}

constexpr std::array kFastFunctions = {
    // __expf has 2 + floor(|1.173 x|) ULP.
    FunctionRow{Op::exp, {[](double x) { return std::exp(x); }, 4.0, 2.5}},
    // __logf has 3 ULP, or 2^-21.41 near 1; __log2f 2 ULP, or 2^-22; __log10f is __log2f times a
    // constant.
    FunctionRow{Op::log,
                {[](double x) { return std::log(x); }, 6.0, 0.0, Slope::farthest_at_ends,
                 [](double) { return 3.6e-7; }}},
    FunctionRow{Op::log2,
                {[](double x) { return std::log2(x); }, 4.0, 0.0, Slope::farthest_at_ends,
                 [](double) { return 0x1p-22; }}},
    FunctionRow{Op::log10,
                {[](double x) { return std::log10(x); }, 6.0, 0.0, Slope::farthest_at_ends,
                 [](double) { return 7.2e-8; }}},
    FunctionRow{
        Op::sin,
        {[](double x) { return std::sin(x); }, 0.0, 0.0, Slope::at_most_one, error_of_fast_sine}},
    FunctionRow{
        Op::cos,
        {[](double x) { return std::cos(x); }, 0.0, 0.0, Slope::at_most_one, error_of_fast_sine}},
    FunctionRow{
        Op::tan,
        {[](double x) { return std::tan(x); }, 4.0, 0.0, Slope::poles, error_of_fast_tangent}},
    FunctionRow{Op::tanh, {[](double x) { return std::tanh(x); }, 8192.0}},
};

}  // namespace

const FunctionError& function_error(Op op) {
  return kFunctions[static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::exp)].error;
}

const FunctionError& fast_function_error(Op op) {
  for (const FunctionRow& row : kFastFunctions) {
    if (row.op == op) return row.error;
  }
  return function_error(op);
}

const PowError& pow_error(bool is_fast) {
  // 4 ULP of powf; or exp(y log(x)): the logarithm has 4 roundings, and the product and its
  // conversion to a power of two three.
  static constexpr PowError kPow{8.0, 7.0, 0.0};
  // __powf is exp2f(y * __log2f(x)): 2^-22 log(2) for each unit of y.
  static constexpr PowError kFastPow{8.0, 7.0, 1.66e-7};
  return is_fast ? kFastPow : kPow;
}

}  // namespace warpcheck::reference
