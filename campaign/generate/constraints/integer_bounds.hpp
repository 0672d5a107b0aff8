// Arithmetic on the bounds of sets of integers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "campaign/generate/constraints/integer_set.hpp"

namespace warpcheck::campaign::generate {

inline constexpr std::int64_t kMostModulus = std::int64_t{1}
                                             << 31;  // products of two fit in 64 bits

inline bool is_infinite(std::int64_t bound) { return bound <= -kUnbounded || bound >= kUnbounded; }

inline std::int64_t saturated(std::int64_t value) {
  return std::clamp(value, -kUnbounded, kUnbounded);
}

/// Adds two bounds of the same side. The sum with an infinite bound is infinite.
inline std::int64_t bound_sum(std::int64_t x, std::int64_t y, std::int64_t infinite) {
  if (x == infinite || y == infinite) return infinite;
  std::int64_t result = 0;
  return __builtin_add_overflow(x, y, &result) ? infinite : saturated(result);
}

inline std::int64_t bound_product(std::int64_t x, std::int64_t y) {
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(x, y, &result)) return saturated(result);
  return (x < 0) == (y < 0) ? kUnbounded : -kUnbounded;
}

inline std::int64_t floor_mod(std::int64_t x, std::int64_t modulus) {
  const std::int64_t rest = x % modulus;
  return rest < 0 ? rest + modulus : rest;
}

inline std::int64_t floor_div(std::int64_t x, std::int64_t y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

inline std::int64_t ceil_div(std::int64_t x, std::int64_t y) {
  return x / y + (x % y != 0 && (x < 0) == (y < 0) ? 1 : 0);
}

inline std::int64_t largest_magnitude(const IntegerSet& x) {
  return std::max(std::abs(x.low), std::abs(x.high));
}

/// Returns the bounds of a quotient by divisors on both sides of 0.
inline IntegerSet within_magnitude(const IntegerSet& x) {
  return IntegerSet::between(-largest_magnitude(x), largest_magnitude(x));
}

inline bool is_positive_single(const IntegerSet& x) { return x.is_single() && x.low > 0; }

/// Returns the number that is the inverse of x modulo `modulus`; both have no common factor.
inline std::int64_t inverse(std::int64_t x, std::int64_t modulus) {
  std::int64_t previous = modulus;
  std::int64_t current = floor_mod(x, modulus);
  std::int64_t previous_factor = 0;
  std::int64_t factor = 1;
  while (current > 1) {
    const std::int64_t times = previous / current;
    previous = std::exchange(current, previous - times * current);
    previous_factor = std::exchange(factor, previous_factor - times * factor);
  }
  return floor_mod(factor, modulus);
}

}  // namespace warpcheck::campaign::generate
