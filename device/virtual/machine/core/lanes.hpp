// The lanes of a warp, and sets of them.
#pragma once

#include <bit>
#include <cstdint>

namespace warpcheck::machine {

inline constexpr unsigned kLanes = 32;

/// One bit per lane of a warp.
using Mask = std::uint32_t;
inline constexpr Mask kAllLanes = ~Mask{0};

/// The number of the lowest of `lanes`, which is not empty.
inline unsigned lowest(Mask lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

/// Calls f(lane) for lanes 0 to count - 1. No two calls access the same memory, so that the
/// compiler may vectorise the loop.
template <unsigned count = kLanes, class F>
inline void for_lanes(F f) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (unsigned lane = 0; lane < count; ++lane) f(lane);
}

}  // namespace warpcheck::machine
