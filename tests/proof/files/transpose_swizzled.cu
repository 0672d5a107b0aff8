// Transpose with an XOR-swizzled 32x32 shared tile instead of padding, batched over grid.z.
// Any rows, cols in 1 .. 2^20 and 1 <= batch <= 65535; batches are contiguous and may exceed 2^31
// elements in total.
#include <cuda_runtime.h>

template <typename T, unsigned TILE = 32u, unsigned ROWS = 8u>
__global__ void transpose_swizzled_kernel(const T* __restrict__ in, T* __restrict__ out,
                                          unsigned rows, unsigned cols) {
  static_assert((TILE & (TILE - 1)) == 0, "the swizzle needs a power of two");
  __shared__ T tile[TILE * TILE];

  const size_t plane = (size_t)rows * cols;
  in += plane * blockIdx.z;
  out += plane * blockIdx.z;

  const unsigned c = blockIdx.x * TILE + threadIdx.x;
  const unsigned r0 = blockIdx.y * TILE;
#pragma unroll
  for (unsigned k = threadIdx.y; k < TILE; k += ROWS) {
    if (r0 + k < rows && c < cols) {
      tile[k * TILE + (threadIdx.x ^ k)] = in[(size_t)(r0 + k) * cols + c];
    }
  }
  __syncthreads();

  const unsigned r = r0 + threadIdx.x;
  const unsigned c0 = blockIdx.x * TILE;
#pragma unroll
  for (unsigned k = threadIdx.y; k < TILE; k += ROWS) {
    if (c0 + k < cols && r < rows) {
      out[(size_t)(c0 + k) * rows + r] = tile[threadIdx.x * TILE + (k ^ threadIdx.x)];
    }
  }
}

template __global__ void transpose_swizzled_kernel<float, 32u, 8u>(const float*, float*, unsigned,
                                                                   unsigned);

void launch_transpose_swizzled(const float* in, float* out, unsigned rows, unsigned cols,
                               unsigned batch, cudaStream_t stream) {
  const dim3 threads(32, 8);
  const dim3 blocks((cols + 31) / 32, (rows + 31) / 32, batch);
  transpose_swizzled_kernel<float, 32u, 8u><<<blocks, threads, 0, stream>>>(in, out, rows, cols);
}
