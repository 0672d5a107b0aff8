// The oracle for rounding: MPFR rounds correctly in every mode, including subnormals.
#pragma once

#include "device/virtual/semantics/formats.hpp"

namespace warpcheck::semantics::testing {

enum class Operation { add, sub, mul, fma, div, sqrt, assign, exp2, log2, sin, cos, tanh };

/// The exact result of the operation, rounded once to the exponent range and precision of a format;
/// R is not rna. Unary operations use a, binary ones a and b.
[[nodiscard]] double exactly(Operation operation, Rounding rounding, int exponent_bits,
                             int fraction_bits, double a, double b = 0, double c = 0);

template <class T>
[[nodiscard]] double exactly(Operation operation, Rounding rounding, double a, double b = 0,
                             double c = 0) {
  return exactly(operation, rounding, Format<T>::exponent_bits, Format<T>::fraction_bits, a, b, c);
}

/// The distance of the value from the exact result.
struct Error {
  double absolute;
  double relative;
};
[[nodiscard]] Error error_of(double value, Operation operation, double a, double b = 0);

/// The integer rounded once to a format.
[[nodiscard]] double exactly(std::uint64_t magnitude, bool negative, Rounding rounding,
                             int exponent_bits, int fraction_bits);

}  // namespace warpcheck::semantics::testing
