// Functions that are compiled for AVX2 with FMA, besides for the baseline CPU. WARPCHECK_SIMD=plain
// in the environment chooses the baseline.
#pragma once

#include <cstdlib>
#include <string_view>

namespace warpcheck {

#if defined(__x86_64__)
#define WARPCHECK_FOR_AVX2 [[gnu::target("avx2,fma,bmi,bmi2,lzcnt,popcnt"), gnu::flatten]]
[[nodiscard]] inline bool cpu_has_avx2() {
  static const bool has = [] {
    const char* chosen = std::getenv("WARPCHECK_SIMD");
    if (chosen != nullptr && std::string_view(chosen) == "plain") return false;
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
  }();
  return has;
}
#else
#define WARPCHECK_FOR_AVX2
[[nodiscard]] inline bool cpu_has_avx2() { return false; }
#endif

}  // namespace warpcheck
