// Rounding modes, and arithmetic whose result can be rounded correctly in each of them.
//
// Rounding to odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
// algorithms using rounding to odd", 2008): an inexact result is truncated and its last bit set.
// Rounding it to a format at least two bits narrower gives the same result as rounding the exact
// value, in every mode, including subnormals. Arithmetic in f32 and narrower formats is therefore
// rounded to odd in double, then narrowed.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

namespace warpcheck::semantics {

/// Nearest even, toward zero, toward minus infinity, toward plus infinity; rna: nearest, ties away
/// from zero (cvt to tf32 only).
enum class Rounding : std::uint8_t { rn, rz, rm, rp, rna };

/// `nearest` is the exact value rounded to nearest; `error` has the sign of (exact - nearest), or
/// is NaN if the result is not finite. Returns the exact value rounded to odd.
[[nodiscard]] inline double to_odd(double nearest, double error) {
  const auto bits = std::bit_cast<std::uint64_t>(nearest);
  const std::uint64_t opposite = (bits ^ std::bit_cast<std::uint64_t>(error)) >> 63;
  const std::uint64_t odd = (bits - opposite) | 1;
  const bool inexact = (error < 0) | (error > 0);
  return std::bit_cast<double>(inexact ? odd : bits);
}

/// a + b rounded to odd, for |a|, |b| < 2^1000. An exact zero sum is +0 unless both operands are
/// -0; toward minus infinity it is -0 unless both are +0 (IEEE 754-2019, 6.3).
template <Rounding R>
[[nodiscard]] inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;  // the error of Knuth's TwoSum is exact
  const double error = (a - (sum - b_part)) + (b - b_part);
  double result = to_odd(sum, error);
  if constexpr (R == Rounding::rm) {
    const std::uint64_t signs =
        (std::bit_cast<std::uint64_t>(a) | std::bit_cast<std::uint64_t>(b)) >> 63 << 63;
    result = sum == 0 ? std::bit_cast<double>(signs) : result;
  }
  return result;
}

/// Computes operation(a, b, c) in double in the host's rounding mode R, and restores the mode. The
/// operands and the result are in volatile memory: a compiler moves floating-point arithmetic
/// across fesetround, but does not move a volatile access. The mode belongs to the calling thread.
template <Rounding R, class Operation>
[[nodiscard, gnu::noinline]] double directed(Operation operation, double a, double b = 0,
                                             double c = 0) {
  static_assert(R == Rounding::rz || R == Rounding::rm || R == Rounding::rp);
  constexpr int mode = R == Rounding::rz   ? FE_TOWARDZERO
                       : R == Rounding::rm ? FE_DOWNWARD
                                           : FE_UPWARD;
  const volatile double memory_a = a;
  const volatile double memory_b = b;
  const volatile double memory_c = c;
  const int before = std::fegetround();
  std::fesetround(mode);
  const volatile double result = operation(memory_a, memory_b, memory_c);
  std::fesetround(before);
  return result;
}

}  // namespace warpcheck::semantics
