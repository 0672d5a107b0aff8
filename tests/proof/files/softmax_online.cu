// Row softmax with the online (single pass) max/sum recurrence, one warp per row.
// Any 1 <= N (rows) <= 2^30 and 1 <= C (columns) <= 2^30; contiguous, inp and out may not overlap.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <math_constants.h>

namespace cg = cooperative_groups;

struct __align__(8) SumMax {
  float maxval;
  float sum;
};

__device__ __forceinline__ SumMax combine(SumMax a, SumMax b) {
  bool bigger = a.maxval > b.maxval;
  SumMax hi = bigger ? a : b;
  SumMax lo = bigger ? b : a;
  if (lo.sum == 0.0f) return hi;
  hi.sum += lo.sum * __expf(lo.maxval - hi.maxval);
  return hi;
}

__global__ void softmax_online_kernel(float* __restrict__ out, const float* __restrict__ inp, int N,
                                      int C) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= N) return;

  const float* x = inp + (size_t)row * C;
  SumMax sm{-CUDART_INF_F, 0.0f};
  for (int i = warp.thread_rank(); i < C; i += warp.size()) sm = combine(sm, SumMax{x[i], 1.0f});

  SumMax all = cg::reduce(warp, sm, combine);

  float* y = out + (size_t)row * C;
  for (int i = warp.thread_rank(); i < C; i += warp.size())
    y[i] = __expf(x[i] - all.maxval) / all.sum;
}

void launch_softmax_online(float* out, const float* inp, int N, int C) {
  const int block_size = 128;
  const int rows_per_block = block_size / 32;
  const int grid_size = (N + rows_per_block - 1) / rows_per_block;
  softmax_online_kernel<<<grid_size, block_size>>>(out, inp, N, C);
}
