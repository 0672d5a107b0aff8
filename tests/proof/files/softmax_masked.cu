// Softmax over the last dimension where mask[row, col] == 0 removes an entry; fully masked rows
// give zeros. Works for any rows >= 1 and any cols from 1 to 2^30.
#include <cuda_runtime.h>
#include <math_constants.h>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffff

struct MaxOp {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct SumOp {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Op>
__device__ float block_all_reduce(float val, float identity, float* shared, Op op) {
  const int lane = threadIdx.x % WARP_SIZE;
  const int warp = threadIdx.x / WARP_SIZE;
  const int num_warps = blockDim.x / WARP_SIZE;

#pragma unroll
  for (int o = WARP_SIZE / 2; o > 0; o /= 2) val = op(val, __shfl_xor_sync(FULL_MASK, val, o));

  if (lane == 0) shared[warp] = val;
  __syncthreads();

  // every warp finishes the reduction for itself, so that all threads hold the result
  val = lane < num_warps ? shared[lane] : identity;
#pragma unroll
  for (int o = WARP_SIZE / 2; o > 0; o /= 2) val = op(val, __shfl_xor_sync(FULL_MASK, val, o));
  return val;
}

__global__ void softmax_masked_kernel(const float* __restrict__ in,
                                      const unsigned char* __restrict__ mask,
                                      float* __restrict__ out, int cols) {
  __shared__ float shared[WARP_SIZE];

  const size_t offset = (size_t)blockIdx.x * cols;
  in += offset;
  mask += offset;
  out += offset;

  float row_max = -CUDART_INF_F;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    if (mask[c]) row_max = fmaxf(row_max, in[c]);
  row_max = block_all_reduce(row_max, -CUDART_INF_F, shared, MaxOp());

  float row_sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    if (mask[c]) row_sum += expf(in[c] - row_max);
  row_sum = block_all_reduce(row_sum, 0.0f, shared, SumOp());

  const float inv = row_sum > 0.0f ? 1.0f / row_sum : 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    out[c] = mask[c] ? expf(in[c] - row_max) * inv : 0.0f;
}

void launch_softmax_masked(const float* in, const unsigned char* mask, float* out, int rows,
                           int cols, cudaStream_t stream) {
  int threads = cols < 1024 ? (cols + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE : 1024;
  softmax_masked_kernel<<<rows, threads, 0, stream>>>(in, mask, out, cols);
}
