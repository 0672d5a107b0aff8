// Eight lanes at once: what one AVX2 register holds of 32-bit values. The compiler makes of it what
// the handler is compiled for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpcheck::machine {

/// Eight values that arithmetic and comparison take one by one; a comparison gives 0 or ~0 for
/// each.
template <class T>
using Eight [[gnu::vector_size(8 * sizeof(T))]] = T;

template <class T>
inline void load(Eight<T>& values, const void* from) {
  std::memcpy(&values, from, sizeof values);
}

/// Whether any bit is set.
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
