// Functions that are compiled both for the baseline CPU and for wide vectors. The version is chosen
// at run time. All versions give the same results; WARPCHECK_SIMD=plain or avx2 in the environment
// limits the choice, so that a test can compare them.
#pragma once

#include <cstdlib>
#include <string_view>

namespace warpcheck {

#if defined(__x86_64__)
#define WARPCHECK_FOR_AVX2 [[gnu::target("avx2,fma,bmi,bmi2,lzcnt,popcnt"), gnu::flatten]]
#define WARPCHECK_FOR_AVX512                                                                     \
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt,prefer-" \
                "vector-width=512"),                                                             \
    gnu::flatten]]

/// True if WARPCHECK_SIMD excludes the vectors.
[[nodiscard]] inline bool simd_is_limited_to(std::string_view name) {
  const char* chosen = std::getenv("WARPCHECK_SIMD");
  return chosen != nullptr && chosen == name;
}

[[nodiscard]] inline bool cpu_has_avx2() {
  static const bool has = !simd_is_limited_to("plain") && __builtin_cpu_supports("avx2") != 0 &&
                          __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("bmi2") != 0;
  return has;
}

[[nodiscard]] inline bool cpu_has_avx512() {
  static const bool has =
      !simd_is_limited_to("avx2") && cpu_has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0;
  return has;
}
#else
#define WARPCHECK_FOR_AVX2
#define WARPCHECK_FOR_AVX512
[[nodiscard]] inline bool cpu_has_avx2() { return false; }
[[nodiscard]] inline bool cpu_has_avx512() { return false; }
#endif

template <class F>
WARPCHECK_FOR_AVX2 auto with_avx2(const F& f) {
  return f();
}

template <class F>
WARPCHECK_FOR_AVX512 auto with_avx512(const F& f) {
  return f();
}

/// Calls f() in the version for the widest vectors of this CPU. Functions that f calls are inlined
/// into these versions, or stay baseline code.
template <class F>
auto vectorized(const F& f) {
  if (cpu_has_avx512()) return with_avx512(f);
  return cpu_has_avx2() ? with_avx2(f) : f();
}

}  // namespace warpcheck
