// FP16 products on tensor cores through nvcuda::wmma: a block of 8 warps computes a 128 x 128 tile
// of C, each warp 64 x 32 of it in 4 x 2 fragments of 16 x 16. Each step copies 32 elements of k
// into tiles in shared memory.
#pragma once

#include <cuda_fp16.h>
#include <mma.h>

#include "../sgemm.cuh"
#include "tensor_tile.cuh"

namespace hgemm_wmma_parts {

using nvcuda::wmma::fragment;

constexpr int tile = 128;
constexpr int k_step = 32;
constexpr int threads = 256;
constexpr int warp_rows = 64;
constexpr int warp_columns = 32;

// Rows lie 16 bytes further apart than they are long, so that the rows of a fragment start in
// different banks.
constexpr int a_stride = k_step + 8;
constexpr int b_stride = tile + 8;

template <typename Accumulator>
struct Shared {
  alignas(32) __half a[tile * a_stride];
  alignas(32) __half b[k_step * b_stride];
  /// 16 rows of the sums of each warp: the layout of a fragment is not documented.
  static constexpr int strip_stride = warp_columns + 8;
  alignas(32) Accumulator strips[threads / 32][16 * strip_stride];
};

/// The sums of one warp.
template <typename Accumulator>
struct Sums {
  fragment<nvcuda::wmma::accumulator, 16, 16, 16, Accumulator> at[warp_rows / 16]
                                                                 [warp_columns / 16];
};

/// Adds the product of a warp's rows of the tile of A and its columns of that of B.
template <typename Accumulator>
__device__ inline void multiply(Sums<Accumulator>& sums, const __half* a, const __half* b) {
  using namespace nvcuda::wmma;
  for (int p = 0; p < k_step; p += 16) {
    fragment<matrix_b, 16, 16, 16, __half, row_major> fragments_b[warp_columns / 16];
    for (int j = 0; j < warp_columns / 16; ++j) {
      load_matrix_sync(fragments_b[j], b + p * b_stride + j * 16, b_stride);
    }
    for (int i = 0; i < warp_rows / 16; ++i) {
      fragment<matrix_a, 16, 16, 16, __half, row_major> fragment_a;
      load_matrix_sync(fragment_a, a + i * 16 * a_stride + p, a_stride);
      for (int j = 0; j < warp_columns / 16; ++j) {
        mma_sync(sums.at[i][j], fragment_a, fragments_b[j], sums.at[i][j]);
      }
    }
  }
}

/// Calls write(row, column, sum) for the rows x columns sums of a warp that lie in C. 16 rows at a
/// time pass through `strip`, from which each lane takes a column.
template <typename Accumulator, typename Write>
__device__ inline void write_sums(const Sums<Accumulator>& sums, int rows, int columns,
                                  Accumulator* strip, const Write& write) {
  constexpr int stride = Shared<Accumulator>::strip_stride;
  const int column = threadIdx.x % 32;
  for (int i = 0; i < warp_rows / 16; ++i) {
    for (int j = 0; j < warp_columns / 16; ++j) {
      nvcuda::wmma::store_matrix_sync(strip + j * 16, sums.at[i][j], stride,
                                      nvcuda::wmma::mem_row_major);
    }
    __syncwarp();
    const int strip_rows = min(16, rows - i * 16);
    for (int row = 0; row < strip_rows && column < columns; ++row) {
      write(i * 16 + row, column, static_cast<float>(strip[row * stride + column]));
    }
    __syncwarp();  // the strip is free for the next rows
  }
}

}  // namespace hgemm_wmma_parts

/// Computes the tile of A B (row-major, m x k by k x n) that belongs to this block of 256 threads,
/// and calls write(row, column, sum) for each of its elements.
template <typename Accumulator, typename Write>
__device__ inline void hgemm_wmma_tile(const __half* a, const __half* b, int m, int n, int k,
                                       int lda, int ldb, const Write& write) {
  using namespace hgemm_wmma_parts;
  __shared__ Shared<Accumulator> shared;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const tensor_tile::Operand<__half> operand_a = {a, m, k, lda};
  const tensor_tile::Operand<__half> operand_b = {b, k, n, ldb};
  const int warp = threadIdx.x / 32;
  const int warp_row = warp / (tile / warp_columns) * warp_rows;  // row in the tile
  const int warp_column = warp % (tile / warp_columns) * warp_columns;
  const int row0 = origin.row + warp_row;
  const int column0 = origin.column + warp_column;
  const bool has_work = row0 < m && column0 < n;

  Sums<Accumulator> sums;
  for (auto& row_of_sums : sums.at) {
    for (auto& sum : row_of_sums) nvcuda::wmma::fill_fragment(sum, Accumulator(0.0f));
  }
  for (int k0 = 0; k0 < k; k0 += k_step) {
    tensor_tile::stage<tile, k_step, a_stride, threads>(shared.a, operand_a, origin.row, k0);
    tensor_tile::stage<k_step, tile, b_stride, threads>(shared.b, operand_b, k0, origin.column);
    __syncthreads();  // the tiles are complete
    if (has_work) multiply(sums, shared.a + warp_row * a_stride, shared.b + warp_column);
    __syncthreads();  // every warp has read them
  }
  if (!has_work) return;
  write_sums(sums, m - row0, n - column0, shared.strips[warp],
             [&](int row, int column, float sum) { write(row0 + row, column0 + column, sum); });
}
