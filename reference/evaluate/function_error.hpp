// The errors of mathematical functions.
#pragma once

#include "operation/node.hpp"

namespace warpcheck::reference {

/// The larger errors of the functions of f32 and f64 (CUDA C++ Programming Guide, section
/// "Mathematical Functions", tables of maximum ULP errors; 1 ULP is at most 2 u).
struct FunctionError {
  double (*compute)(double) = nullptr;
  double roundings = 0.0;  // relative error, in units of u
  /// Relative error per magnitude of the argument, in units of u: exp(x) may be exp2(x log2(e)).
  double argument_roundings = 0.0;
  double absolute = 0.0;  // absolute error
};

[[nodiscard]] const FunctionError& function_error(operation::Op op);

/// The same for the intrinsics of f32 and the approximate instructions of PTX (section "Intrinsic
/// Functions"; PTX ISA, "Floating Point Instructions": tanh.approx has a relative error of 2^-11).
[[nodiscard]] const FunctionError& fast_function_error(operation::Op op);

}  // namespace warpcheck::reference
