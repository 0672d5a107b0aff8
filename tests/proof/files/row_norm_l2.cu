// Divides every row of x[rows, cols] by its L2 norm (rows with norm < eps are divided by eps).
// Any rows >= 1 and 1 <= cols <= 2^30; the matrix is contiguous and may exceed 2^31 elements.
#include <cuda_runtime.h>

__inline__ __device__ float warpReduceSum(float val) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__inline__ __device__ float blockReduceSum(float val) {
  __shared__ float s[32];
  int lane = threadIdx.x % 32;
  int wid = threadIdx.x / 32;

  val = warpReduceSum(val);
  if (lane == 0) s[wid] = val;
  __syncthreads();

  val = (threadIdx.x < blockDim.x / 32) ? s[lane] : 0.0f;
  if (wid == 0) val = warpReduceSum(val);
  return val;  // valid in thread 0
}

__global__ void row_norm_l2_kernel(const float* __restrict__ x, float* __restrict__ y, int cols,
                                   float eps) {
  __shared__ float inv_norm;
  const float* row_in = x + (size_t)blockIdx.x * cols;
  float* row_out = y + (size_t)blockIdx.x * cols;

  float acc = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float v = row_in[c];
    acc += v * v;
  }
  acc = blockReduceSum(acc);
  if (threadIdx.x == 0) inv_norm = 1.0f / fmaxf(sqrtf(acc), eps);
  __syncthreads();

  for (int c = threadIdx.x; c < cols; c += blockDim.x) row_out[c] = row_in[c] * inv_norm;
}

void launch_row_norm_l2(const float* x, float* y, int rows, int cols, float eps,
                        cudaStream_t stream) {
  row_norm_l2_kernel<<<rows, 256, 0, stream>>>(x, y, cols, eps);
}
