// Serial split-K: the blocks of a tile add their slices to C one after another, in the order of the
// slices, so that the sum is the same on every run. A counter per tile in the workspace holds the
// slice that may add next. The workspace holds zeros before the launch.

#include "split_k.cuh"

__global__ void sgemm_split_k_turns(const float* a, const float* b, float* c, int* turns, int m,
                                    int n, int k) {
  const int row = blockIdx.y * sgemm::split_tile + threadIdx.y;
  const int column = blockIdx.x * sgemm::split_tile + threadIdx.x;
  const int slice = blockIdx.z;
  const float sum =
      sgemm::sum_of_slice(a, b, m, n, k, n, row, column, sgemm::slice_begin(k, slice, gridDim.z),
                          sgemm::slice_begin(k, slice + 1, gridDim.z));

  int* turn = turns + blockIdx.y * gridDim.x + blockIdx.x;
  const bool leader = threadIdx.x == 0 && threadIdx.y == 0;
  if (leader) {
    while (*(volatile int*)turn != slice) {
    }
    __threadfence();  // acquires the stores of the slice before
  }
  __syncthreads();
  if (row < m && column < n) {
    float* element = c + size_t(row) * n + column;
    *element = slice == 0 ? sum : *element + sum;
  }
  __syncthreads();
  if (leader) {
    __threadfence();  // releases the stores of this slice
    *(volatile int*)turn = slice + 1;
  }
}
