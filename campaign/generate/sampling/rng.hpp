// Reproducible random numbers.
#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

#include <cstdint>
#include <random>
#include <vector>

#include "base/hash.hpp"

namespace warpcheck::campaign::generate {

/// A stream of random numbers. Equal seeds give equal streams on every platform. Whole numbers and
/// the values of RapidCheck's generators come from two independent streams.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : whole_numbers_(seed), generators_(seed) {}

  /// Returns a number from 0 to `end` - 1. `end` is far below 2^64, so that the bias is negligible.
  [[nodiscard]] std::uint64_t below(std::uint64_t end) { return whole_numbers_() % end; }

  /// Returns a number from `first` to `last`.
  [[nodiscard]] std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first) + 1));
  }

  /// Returns one of `values`, which is not empty.
  template <typename T>
  [[nodiscard]] const T& of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

  /// Returns true with a probability of 1 / `chances`.
  [[nodiscard]] bool one_in(std::uint64_t chances) { return below(chances) == 0; }

  /// Returns the number from 0 to `end` - 1 that rc::gen::inRange(0, end) gives, without making a
  /// generator and what it would shrink to.
  [[nodiscard]] std::int64_t uniform(std::int64_t end) {
    rc::Random own = generators_.split();
    if (end == 1) return 0;
    return static_cast<std::int64_t>(own.next() % static_cast<rc::Random::Number>(end));
  }

  /// Returns a value of a RapidCheck generator, which gets a random state of its own.
  template <typename T>
  [[nodiscard]] T operator()(const rc::Gen<T>& generator) {
    return generator(generators_.split(), rc::kNominalSize).value();
  }

 private:
  std::mt19937_64 whole_numbers_;
  rc::Random generators_;
};

}  // namespace warpcheck::campaign::generate
