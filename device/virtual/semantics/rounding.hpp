// Rounding modes, and arithmetic whose result can still be rounded in any of them.
//
// Rounding to odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
// algorithms using rounding to odd", 2008): an inexact result is truncated and its last bit set.
// Rounding it again to a format at least two bits narrower gives what one rounding of the exact
// value gives, in every mode, subnormals included. So f32 and narrower arithmetic is done to odd in
// double, then narrowed.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

namespace warpcheck::semantics {

/// Nearest even, toward zero, toward minus infinity, toward plus infinity; rna: nearest, ties away
/// from zero (cvt to tf32 only).
enum class Rounding : std::uint8_t { rn, rz, rm, rp, rna };

/// `nearest` is the exact value rounded to nearest, `error` has the sign of (exact - nearest), or
/// is NaN where the result is no finite number. Returns the exact value rounded to odd.
[[nodiscard]] inline double to_odd(double nearest, double error) {
  const auto bits = std::bit_cast<std::uint64_t>(nearest);
  const std::uint64_t opposite = (bits ^ std::bit_cast<std::uint64_t>(error)) >> 63;
  const std::uint64_t odd = (bits - opposite) | 1;
  const bool inexact = (error < 0) | (error > 0);
  return std::bit_cast<double>(inexact ? odd : bits);
}

/// a + b rounded to odd, for |a|, |b| < 2^1000. Toward minus infinity an exact zero of operands not
/// both +0 is -0, else +0 unless both are -0 (IEEE 754-2019, 6.3).
template <Rounding R>
[[nodiscard]] inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;  // Knuth's TwoSum: error is exact
  const double error = (a - (sum - b_part)) + (b - b_part);
  double result = to_odd(sum, error);
  if constexpr (R == Rounding::rm) {
    const std::uint64_t signs =
        (std::bit_cast<std::uint64_t>(a) | std::bit_cast<std::uint64_t>(b)) >> 63 << 63;
    result = sum == 0 ? std::bit_cast<double>(signs) : result;
  }
  return result;
}

/// operation(a, b, c) in double under the host's rounding mode R, which is put back after. The
/// operands and the result go through volatile memory: a compiler moves floating-point arithmetic
/// across fesetround, but no volatile access. The mode is the calling thread's own.
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
