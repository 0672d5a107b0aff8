// Split-K in two launches: where C has too few tiles to keep a GPU busy, several blocks share the
// sum over k of one tile and store their partial sums side by side. The second launch adds these in
// a fixed order, so that the sum is the same on every run.

#include "split_k.cuh"

/// Slice number blockIdx.y of each sum of A B goes to partials, an m x n matrix per slice.
__global__ void sgemm_split_k_partials(const float* a, const float* b, float* partials, int m,
                                       int n, int k, int lda, int ldb) {
  const sgemm::TileOrigin origin = sgemm::tile_origin<sgemm::split_tile, sgemm::split_tile>(n);
  const int row = origin.row + threadIdx.y;
  const int column = origin.column + threadIdx.x;
  const int slice = blockIdx.y;
  const float sum = sgemm::sum_of_slice(a, b, m, n, lda, ldb, row, column,
                                        sgemm::slice_begin(k, slice, gridDim.y),
                                        sgemm::slice_begin(k, slice + 1, gridDim.y));
  if (row < m && column < n) partials[(size_t(slice) * m + row) * n + column] = sum;
}

/// A thread per element of C adds the slices.
__global__ void sgemm_split_k_reduction(const float* partials, int slices, float* c, int m, int n,
                                        int ldc, float alpha, float beta) {
  const size_t elements = size_t(m) * n;
  const size_t element = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element >= elements) return;
  float sum = 0.0f;
  for (int slice = 0; slice < slices; ++slice) sum += partials[slice * elements + element];
  sgemm::update(&c[element / n * ldc + element % n], sum, alpha, beta);
}
