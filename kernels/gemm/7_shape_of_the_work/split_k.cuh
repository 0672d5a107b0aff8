// One slice of k: the blocks of a tile of C share the sum over k, one slice each.
#pragma once

#include "../sgemm.cuh"

namespace sgemm {

constexpr int split_tile =
    16;  // rows and columns of a tile of C, and the length of a row of a staged tile

/// The sum of the calling thread's element over the terms first_k .. last_k - 1. All threads of the
/// block call it.
__device__ inline float sum_of_slice(const float* a, const float* b, int m, int n, int lda, int ldb,
                                     int row, int column, int first_k, int last_k) {
  __shared__ float tile_a[split_tile][split_tile];
  __shared__ float tile_b[split_tile][split_tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  float sum = 0.0f;
  for (int k0 = first_k; k0 < last_k; k0 += split_tile) {
    tile_a[y][x] = row < m && k0 + x < last_k ? a[size_t(row) * lda + k0 + x] : 0.0f;
    tile_b[y][x] = k0 + y < last_k && column < n ? b[size_t(k0 + y) * ldb + column] : 0.0f;
    __syncthreads();  // the tiles are complete
    for (int p = 0; p < split_tile; ++p) sum += tile_a[y][p] * tile_b[p][x];
    __syncthreads();  // every warp has read them
  }
  return sum;
}

/// First k of slice number `slice` of `slices`; slice number `slices` begins where k ends.
__device__ inline int slice_begin(int k, int slice, int slices) {
  return int(size_t(k) * slice / slices);
}

}  // namespace sgemm
