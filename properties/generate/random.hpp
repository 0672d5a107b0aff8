// The draws of a search, the same on every platform.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace warpcheck::properties::generate {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// From 0 to `end` - 1, for an `end` far below 2^64.
  [[nodiscard]] std::uint64_t below(std::uint64_t end) { return engine_() % end; }

  /// From `first` to `last`.
  [[nodiscard]] std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first) + 1));
  }

  /// One of `values`, of which there is one.
  template <typename T>
  [[nodiscard]] const T& of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

  [[nodiscard]] bool one_in(std::uint64_t chances) { return below(chances) == 0; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace warpcheck::properties::generate
