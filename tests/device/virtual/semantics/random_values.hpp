// Random values for the tests: integers and bit patterns that expose errors of arithmetic.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "device/virtual/semantics/formats.hpp"

namespace warpcheck::semantics::testing {

/// A stream of random values, seeded from WARPCHECK_SEED if it is set. Tests must put trace() into
/// a SCOPED_TRACE.
class RandomValues {
 public:
  RandomValues() : RandomValues(seed_of(std::getenv("WARPCHECK_SEED"))) {}
  explicit RandomValues(std::uint64_t seed) : seed_(seed), random_(seed) {}

  [[nodiscard]] std::string trace() const { return "WARPCHECK_SEED=" + std::to_string(seed_); }
  [[nodiscard]] std::uint64_t bits() { return random_(); }
  [[nodiscard]] std::uint64_t below(std::uint64_t n) { return random_() % n; }

  /// An integer of random magnitude, near an end of the range, or near zero.
  template <class T>
  [[nodiscard]] T integer() {
    using Limits = std::numeric_limits<T>;
    const auto near = static_cast<T>(below(4));
    switch (below(6)) {
      case 0:
        return near;
      case 1:
        return static_cast<T>(T{0} - near);
      case 2:
        return static_cast<T>(Limits::max() - near);
      case 3:
        return static_cast<T>(Limits::min() + near);
      case 4:
        return static_cast<T>(bits() >> below(64));
      default:
        return static_cast<T>(bits());
    }
  }

  /// Any pattern, special values and their neighbours, or few set bits, which give ties.
  template <class T>
  [[nodiscard]] T floating() {
    using F = Format<T>;
    const auto sign = static_cast<BitsOf<T>>(below(2) != 0 ? F::sign : 0);
    const std::array<BitsOf<T>, 6> landmarks{
        0,           BitsOf<T>(BitsOf<T>{1} << F::fraction_bits),
        F::one,      F::max_finite,
        F::infinity, BitsOf<T>(F::one + 1)};
    BitsOf<T> magnitude = 0;
    const auto exponent = static_cast<BitsOf<T>>(below(1U << F::exponent_bits) << F::fraction_bits);
    switch (below(8)) {
      case 0:
        magnitude = static_cast<BitsOf<T>>(landmarks[below(6)] + below(4));
        break;
      case 1:
        magnitude = static_cast<BitsOf<T>>(landmarks[below(6)] - below(4));
        break;
      case 2:
        magnitude = static_cast<BitsOf<T>>(exponent + (BitsOf<T>{1} << below(F::fraction_bits)));
        break;
      case 3:
        magnitude = static_cast<BitsOf<T>>(exponent - (BitsOf<T>{1} << below(F::fraction_bits)));
        break;
      case 4:
        magnitude = static_cast<BitsOf<T>>(bits() & ((BitsOf<T>{1} << F::fraction_bits) - 1));
        break;
      case 5:  // a value near one
        magnitude = static_cast<BitsOf<T>>(F::one + (BitsOf<T>(below(8)) << F::fraction_bits) -
                                           (BitsOf<T>(below(8)) << F::fraction_bits) +
                                           (bits() & ((BitsOf<T>{1} << F::fraction_bits) - 1)));
        break;
      default:
        magnitude = static_cast<BitsOf<T>>(bits());
    }
    return from_bits<T>(static_cast<BitsOf<T>>((magnitude & ~F::sign) | sign));
  }

  /// The value, or one at most three units in the last place away.
  template <class T>
  [[nodiscard]] T near(T value) {
    return from_bits<T>(static_cast<BitsOf<T>>(to_bits(value) + below(7) - 3));
  }

 private:
  static std::uint64_t seed_of(const char* text) {
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
  }

  std::uint64_t seed_;
  std::mt19937_64 random_;
};

}  // namespace warpcheck::semantics::testing
