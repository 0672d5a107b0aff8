// out[i, :] = src[index[i], :] for src[num_src, cols]; every index[i] must lie in [0, num_src).
// Any num_index in 1 .. 2^30 and any cols in 1 .. 2^30.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void gather_rows_kernel(const float* __restrict__ src, const int64_t* __restrict__ index,
                                   float* __restrict__ out, int num_index, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= num_index) return;

  const float* from = src + index[row] * (int64_t)cols;
  float* to = out + (int64_t)row * cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    to[c] = from[c];
  }
}

void launch_gather_rows(const float* src, const int64_t* index, float* out, int num_index, int cols,
                        cudaStream_t stream) {
  dim3 block(32, 8);
  dim3 grid((num_index + block.y - 1) / block.y);
  gather_rows_kernel<<<grid, block, 0, stream>>>(src, index, out, num_index, cols);
}
