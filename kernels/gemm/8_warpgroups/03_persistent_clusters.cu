// Persistent blocks in clusters of two; wgmma multiplies, one group of products behind the copies.
#include "persistent.cuh"
#include "wgmma_wide.cuh"

template <typename T>
struct Wgmma {
  using Element = T;
  using Sum = wgmma_wide::Sum<T>;
  static constexpr int releases = 1;  // each warpgroup releases a stage once

  /// A warp has 16 rows of the 256 columns.
  __device__ static int2 origin_of(int i) { return {int(threadIdx.x) / 32 % 4 * 16, i}; }

  __device__ __forceinline__ static void multiply(Sum (&sums)[persistent::sums],
                                                  const persistent::Stage& stage, int group) {
    const auto& a = stage.a[group * persistent::group_rows];
    wgmma::fence();
#pragma unroll
    for (int byte = 0; byte < persistent::line; byte += wgmma_wide::depth_bytes) {
      wgmma_wide::multiply<T>(sums, wgmma::swizzled_descriptor(&a[byte]),
                              wgmma::swizzled_descriptor(&stage.b[0][byte]));
    }
    wgmma::commit();
  }

  __device__ __forceinline__ static void multiply_tile(persistent::Shared& shared,
                                                       persistent::Turn& turn, int steps, int group,
                                                       Sum (&sums)[persistent::sums]) {
    const unsigned thread = threadIdx.x % persistent::group_threads;
    int before = 0;
    for (int step = 0; step < steps; ++step, turn.advance()) {
      bulk::wait(&shared.full[turn.stage], turn.parity);
      multiply(sums, shared.stages[turn.stage], group);
      wgmma::wait<1>();
      if (step > 0) persistent::release(shared, before, thread);
      before = turn.stage;
    }
    wgmma::wait<0>();
    persistent::release(shared, before, thread);
  }
};
