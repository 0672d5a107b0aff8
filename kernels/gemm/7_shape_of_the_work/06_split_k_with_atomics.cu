// Split-K with atomics: the blocks of a tile add their slices to sums in the workspace in any
// order, and the last block updates C with the sums. The order varies, so that the last bits of the
// sums differ from run to run. The workspace holds zeros before the launch: a counter per tile,
// then a sum per element.

#include "split_k.cuh"

__global__ void sgemm_split_k_atomics(const float* a, const float* b, float* c, int* workspace,
                                      int m, int n, int k, int lda, int ldb, int ldc, float alpha,
                                      float beta) {
  const int row = blockIdx.y * sgemm::split_tile + threadIdx.y;
  const int column = blockIdx.x * sgemm::split_tile + threadIdx.x;
  const int slice = blockIdx.z;
  const float sum = sgemm::sum_of_slice(a, b, m, n, lda, ldb, row, column,
                                        sgemm::slice_begin(k, slice, gridDim.z),
                                        sgemm::slice_begin(k, slice + 1, gridDim.z));

  float* sums = reinterpret_cast<float*>(workspace + gridDim.x * gridDim.y);
  const bool inside = row < m && column < n;
  if (inside) atomicAdd(&sums[size_t(row) * n + column], sum);

  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    __threadfence();  // the block's sums come before its count
    last = atomicAdd(&workspace[blockIdx.y * gridDim.x + blockIdx.x], 1) == gridDim.z - 1;
    __threadfence();  // and the sums of all other blocks before this one reads them
  }
  __syncthreads();
  if (last && inside) {
    sgemm::update(&c[size_t(row) * ldc + column], sums[size_t(row) * n + column], alpha, beta);
  }
}
