// The errors of mathematical functions.
#pragma once

#include "operation/node.hpp"

namespace warpcheck::reference {

/// Where a function with an uncertain argument is farthest from its value.
enum class Slope {
  farthest_at_ends,  // the argument is at an end of its interval: monotone, or convex
  at_most_one,       // |f(x) - f(y)| <= |x - y| and <= 2
  poles,             // monotone between odd multiples of pi / 2
};

/// The larger errors of the functions of f32 and f64 (CUDA C++ Programming Guide, section
/// "Mathematical Functions", tables of maximum ULP errors; 1 ULP is at most 2 u).
struct FunctionError {
  double (*compute)(double) = nullptr;
  double roundings = 0.0;  // relative error, in units of u
  /// Relative error per magnitude of the argument, in units of u: exp(x) may be exp2(x log2(e)).
  double argument_roundings = 0.0;
  Slope slope = Slope::farthest_at_ends;
  double (*absolute)(double) = nullptr;  // absolute error at an argument; null: none
};

/// `op` is a function of one real argument that rounds.
[[nodiscard]] const FunctionError& function_error(operation::Op op);

/// The same for the intrinsics of f32 and the approximate instructions of PTX (section "Intrinsic
/// Functions"; PTX ISA, "Floating Point Instructions": tanh.approx has a relative error of 2^-11).
[[nodiscard]] const FunctionError& fast_function_error(operation::Op op);

/// Errors of x^y, which is exp2(y log2(x)): relative to |y| |x^y|, and to |y log(x)| |x^y|; powf
/// has 4 ULP, which its `roundings` are.
struct PowError {
  double roundings = 0.0;           // relative error, in units of u
  double argument_roundings = 0.0;  // relative error per |y log(x)|, in units of u
  double per_exponent = 0.0;        // relative error per |y|
};

[[nodiscard]] const PowError& pow_error(bool is_fast);

}  // namespace warpcheck::reference
