// Random values as pure functions of a seed and an index.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "base/hash.hpp"

namespace warpcheck::campaign::generate::random_bits {

/// Returns the value of stream `key` at `index`.
constexpr std::uint64_t at(std::uint64_t key, std::int64_t index) {
  return finalized(key + fibonacci_hash(static_cast<std::uint64_t>(index) + 1));
}

/// Returns a number from 0 to count - 1 that depends on the high bits.
constexpr std::int64_t below(std::uint64_t bits, std::int64_t count) {
  return static_cast<std::int64_t>(((bits >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

inline double two_to_the(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// Returns a number from -range to range.
constexpr int exponent(std::uint64_t bits, int range) {
  return static_cast<int>(below(bits, 2 * std::int64_t{range} + 1)) - range;
}

constexpr double with_sign(std::uint64_t bits, double magnitude) {
  return (bits & 1) != 0 ? -magnitude : magnitude;
}

/// Returns a number with 1 <= |x| < 2.
inline double significand(std::uint64_t bits) {
  return with_sign(bits, std::bit_cast<double>((bits >> 12) | (std::uint64_t{1023} << 52)));
}

/// Returns the sum of four 16-bit uniform numbers, centred, with variance 1.
constexpr double normal(std::uint64_t bits) {
  constexpr double kScale = 1.7320508075688772 / 65536.0;
  const auto sum = static_cast<std::int64_t>((bits & 0xffff) + ((bits >> 16) & 0xffff) +
                                             ((bits >> 32) & 0xffff) + (bits >> 48));
  return static_cast<double>(sum - std::int64_t{2} * 65535) * kScale;
}

/// Returns the place of `number`, from 0 to count - 1, in a random permutation of so many numbers:
/// a Feistel network of four rounds over the next 4^i numbers, which is repeated until the number
/// is one of them (Black and Rogaway 2002, cycle walking).
constexpr std::int64_t permuted(std::uint64_t key, std::int64_t number, std::int64_t count) {
  const int bits =
      (static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1))) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  auto at_present = static_cast<std::uint64_t>(number);
  do {
    std::uint64_t left = at_present >> bits;
    std::uint64_t right = at_present & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t mixed_right = at(key + round, static_cast<std::int64_t>(right)) >> 32;
      left = std::exchange(right, left ^ (mixed_right & mask));
    }
    at_present = (left << bits) | right;
  } while (at_present >= static_cast<std::uint64_t>(count));
  return static_cast<std::int64_t>(at_present);
}

}  // namespace warpcheck::campaign::generate::random_bits
