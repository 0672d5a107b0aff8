// Dynamic shared memory whose size the host code computes; one block per row of tiles and column.
#include <utility>

#include "helper_cuda.h"

template <typename T>
struct Matrix {
  T* data;
  int rows, cols;
};

static constexpr int kTile = 32;

namespace kernels {
namespace detail {
__device__ __forceinline__ float at(const float* p, int r, int c, int rows, int cols) {
  return r < rows && c < cols ? p[r * cols + c] : 0.f;
}
}  // namespace detail

__global__ void dyn_gemm(const float* a_ptr, const float* b_ptr, float* c_ptr, int M, int N,
                         int K) {
  extern __shared__ float smem[];
  float* sa = smem;
  float* sb = smem + kTile * kTile;
  const int r = blockIdx.y * kTile + threadIdx.y;
  const int c = blockIdx.x * kTile + threadIdx.x;
  float acc = 0.f;
  for (int k0 = 0; k0 < K; k0 += kTile) {
    sa[threadIdx.y * kTile + threadIdx.x] = detail::at(a_ptr, r, k0 + threadIdx.x, M, K);
    sb[threadIdx.y * kTile + threadIdx.x] = detail::at(b_ptr, k0 + threadIdx.y, c, K, N);
    __syncthreads();
    for (int i = 0; i < kTile; ++i)
      acc += sa[threadIdx.y * kTile + i] * sb[i * kTile + threadIdx.x];
    __syncthreads();
  }
  if (r < M && c < N) c_ptr[r * N + c] = acc;
}
}  // namespace kernels

void run(Matrix<float> a, Matrix<float> b, Matrix<float> c, cudaStream_t stream) {
  const size_t bytes = 2 * kTile * kTile * sizeof(float);
  const dim3 block(kTile, kTile), grid((b.cols + kTile - 1) / kTile, (a.rows - 1) / kTile + 1);
  checkCudaErrors(
      cudaFuncSetAttribute(kernels::dyn_gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernels::dyn_gemm<<<grid, block, bytes, stream>>>(a.data, b.data, c.data, a.rows, b.cols, a.cols);
}
