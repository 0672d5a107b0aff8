// Number formats: precision, range and rounding.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "base/scalar_type.hpp"

namespace warpcheck::reference {

inline constexpr double kInfinity = HUGE_VAL;
inline constexpr double kDoubleUnit =
    0x1p-53;  // unit roundoff of double, in which values are computed

/// A binary format: values with `precision` significant bits, a smallest normal number of
/// 2^smallest_exponent, and gradual underflow below it. Integer formats have every integer of at
/// most `precision` bits and a sign.
struct Format {
  int precision = 24;
  int smallest_exponent = -126;
  double largest = 0.0;  // finite value
  bool integer = false;

  /// The distance between adjacent subnormal numbers: 2^-149 for f32; 1 for integer formats.
  [[nodiscard]] double smallest_step() const;

  /// The smallest magnitude that rounds to nearest beyond `largest`: 2^128 - 2^103 for f32.
  [[nodiscard]] double overflow_threshold() const;

  /// Every integer up to this magnitude is a value of the format: 2^24 for f32.
  [[nodiscard]] double exact_integers() const;
};

[[nodiscard]] const Format& format(ScalarType type);

/// Rounds `value` to nearest, ties to even, to a value of `type`. Subnormal results stay. A value
/// beyond the format becomes infinite; in e4m3, which has no infinity, NaN. Integers saturate, and
/// NaN becomes 0.
[[nodiscard]] double round_to(ScalarType type, double value);
void round_to(ScalarType type, std::span<double> values);

}  // namespace warpcheck::reference
