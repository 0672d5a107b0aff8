// Vectors of eight lanes, which fill an AVX2 register with 32-bit values. The compiler uses the
// instructions of the target for which it compiles the handler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpcheck::machine {

/// Eight values. Arithmetic and comparison are elementwise; a comparison yields 0 or ~0 for each.
template <class T>
using Eight [[gnu::vector_size(8 * sizeof(T))]] = T;

template <class T>
inline void load(Eight<T>& values, const void* from) {
  std::memcpy(&values, from, sizeof values);
}

/// True if any bit is set.
template <class V>
inline bool any(const V& eight) {
  if constexpr (sizeof eight > 8) {
    using Two [[gnu::vector_size(16)]] = std::uint64_t;
    std::array<Two, sizeof eight / sizeof(Two)> parts;
    std::memcpy(&parts, &eight, sizeof eight);
    Two all = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) all |= parts[i];
    return (all[0] | all[1]) != 0;
  } else {
    std::uint64_t all = 0;
    std::memcpy(&all, &eight, sizeof eight);
    return all != 0;
  }
}

}  // namespace warpcheck::machine
