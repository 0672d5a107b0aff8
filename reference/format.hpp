// What a number format can hold: how finely it resolves, how far it reaches, how it rounds.
#pragma once

#include <cstdint>

#include "base/scalar_type.hpp"

namespace warpcheck::reference {

/// A binary format: values with `precision` significant bits, exponents from `smallest_exponent`
/// (of the smallest normal number, 2^smallest_exponent), gradual underflow below. Integer formats
/// hold every integer of at most `precision` bits and a sign.
struct Format {
  int precision = 24;
  int smallest_exponent = -126;
  double largest = 0.0;  // finite value
  bool integer = false;

  /// Distance between neighbouring subnormal numbers, 2^-149 for f32; 1 for the integer formats.
  [[nodiscard]] double smallest_step() const;

  /// The least magnitude that rounding to nearest takes beyond `largest`: 2^128 - 2^103 for f32.
  [[nodiscard]] double overflow_threshold() const;

  /// Every integer up to this magnitude is a value of the format: 2^24 for f32.
  [[nodiscard]] double exact_integers() const;
};

[[nodiscard]] const Format& format(ScalarType type);

/// `value` rounded to nearest, ties to even, as a value of `type`; subnormal results are kept,
/// values beyond the format become infinite (NaN in e4m3, which has no infinity; saturated in
/// integers, where NaN becomes 0).
[[nodiscard]] double round_to(ScalarType type, double value);

}  // namespace warpcheck::reference
