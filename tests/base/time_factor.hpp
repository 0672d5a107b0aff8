// Limits of time in tests of a build that may be slow.
#pragma once

namespace warpcheck {

/// Factor for limits of time: a build with sanitizers takes up to ten times as long.
#ifdef WARPCHECK_TIME_FACTOR
inline constexpr int kTimeFactor = WARPCHECK_TIME_FACTOR;
#else
inline constexpr int kTimeFactor = 1;
#endif

}  // namespace warpcheck
