// Top-k per row by k rounds of block argmax over a shared copy of the row (ties: the lower column
// first). 1 <= k <= cols <= 8192, any rows >= 1; values are finite; outputs are [rows, k]
// contiguous.
#include <cuda_runtime.h>
#include <math_constants.h>

struct Best {
  float val;
  int idx;  // -1: nothing seen yet
};

__device__ __forceinline__ Best better(Best a, Best b) {
  if (b.idx < 0) return a;
  if (a.idx < 0) return b;
  if (b.val > a.val || (b.val == a.val && b.idx < a.idx)) return b;
  return a;
}

__device__ __forceinline__ Best warp_best(Best v) {
  for (int offset = 16; offset > 0; offset /= 2) {
    Best o;
    o.val = __shfl_down_sync(0xffffffff, v.val, offset);
    o.idx = __shfl_down_sync(0xffffffff, v.idx, offset);
    v = better(v, o);
  }
  return v;
}

__global__ void topk_block_argmax_kernel(const float* __restrict__ logits,
                                         float* __restrict__ top_val, int* __restrict__ top_idx,
                                         int cols, int k) {
  extern __shared__ float row[];  // cols floats
  __shared__ Best warp_result[32];

  const float* src = logits + (size_t)blockIdx.x * cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) row[c] = src[c];
  __syncthreads();

  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  const int num_warps = (blockDim.x + 31) >> 5;

  for (int r = 0; r < k; ++r) {
    Best mine = {-CUDART_INF_F, -1};
    for (int c = threadIdx.x; c < cols; c += blockDim.x) mine = better(mine, Best{row[c], c});

    mine = warp_best(mine);
    if (lane == 0) warp_result[warp] = mine;
    __syncthreads();

    if (warp == 0) {
      mine = lane < num_warps ? warp_result[lane] : Best{-CUDART_INF_F, -1};
      mine = warp_best(mine);
      if (lane == 0) {
        top_val[(size_t)blockIdx.x * k + r] = mine.val;
        top_idx[(size_t)blockIdx.x * k + r] = mine.idx;
        row[mine.idx] = -CUDART_INF_F;  // out of the next rounds
      }
    }
    __syncthreads();
  }
}

void launch_topk_block_argmax(const float* logits, float* top_val, int* top_idx, int rows, int cols,
                              int k, cudaStream_t stream) {
  const int threads = 256;
  topk_block_argmax_kernel<<<rows, threads, cols * sizeof(float), stream>>>(logits, top_val,
                                                                            top_idx, cols, k);
}
