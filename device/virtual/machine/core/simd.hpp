// One binary for every CPU: handlers are compiled twice, for the baseline CPU and for AVX2 with
// FMA, and the version is chosen at run time. Only the handlers have the target attribute. A
// function that they call is inlined or stays baseline code, so that no shared function contains an
// AVX2 instruction. Both versions give the same results; WARPCHECK_SIMD=plain in the environment
// chooses the baseline, so that a test can compare them.
#pragma once

#include "base/vectorized.hpp"
#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {

template <class H>
Flow run_plainly(Warp& warp, const Op& op) {
  return H::run(warp, op);
}

template <class H>
WARPCHECK_FOR_AVX2 Flow run_with_avx2(Warp& warp, const Op& op) {
  return H::run(warp, op);
}

/// The fastest handler on this CPU that executes H::run(warp, op).
template <class H>
[[nodiscard]] Handler best_handler() {
  return cpu_has_avx2() ? run_with_avx2<H> : run_plainly<H>;
}

/// The fastest handler, chosen once. The order of initialisation of variable templates is
/// undefined: none may initialise another one.
template <class H>
inline const Handler handler = best_handler<H>();

}  // namespace warpcheck::machine
