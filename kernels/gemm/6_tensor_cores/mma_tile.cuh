// Matrix products with mma.sync, one template for all types: a block of 4 warps computes a 64 x 64
// tile of C, each warp a quarter of it. Each step copies 128 bytes of k into tiles in shared
// memory.
#pragma once

#include "../sgemm.cuh"
#include "mma.cuh"
#include "tensor_tile.cuh"

namespace mma_tile {

constexpr int tile = 64;
constexpr int threads = 128;
constexpr int warp_tile = tile / 2;

template <typename Instruction>
struct Shared {
  using Element = typename Instruction::Element;
  static constexpr int k_step = 128 / sizeof(Element);
  // With this padding the lanes of a fragment's load use different banks, except groups of four
  // lanes that load 8-bit elements of B.
  static constexpr int a_stride = k_step + (sizeof(Element) == 8 ? 32 : 16) / sizeof(Element);
  static constexpr int b_stride = tile + (sizeof(Element) == 1 ? 16 : 32) / sizeof(Element);
  alignas(16) Element a[tile * a_stride];
  alignas(16) Element b[k_step * b_stride];
};

/// The sums of one warp.
template <typename Instruction>
struct Sums {
  static constexpr int down = warp_tile / Instruction::rows;
  static constexpr int across = warp_tile / Instruction::columns;
  typename Instruction::Sum at[down][across][Instruction::sums];
};

/// Adds the product of a warp's rows of the tile of A and its columns of that of B.
template <typename Instruction>
__device__ inline void multiply(Sums<Instruction>& sums, const typename Instruction::Element* a,
                                const typename Instruction::Element* b) {
  using Tiles = Shared<Instruction>;
  using Register = typename Instruction::Register;
  for (int p = 0; p < Tiles::k_step; p += Instruction::depth) {
    Register of_b[sums.across][Instruction::b_registers];
    for (int j = 0; j < sums.across; ++j) {
      Instruction::load_b(of_b[j], b + p * Tiles::b_stride + j * Instruction::columns,
                          Tiles::b_stride);
    }
    for (int i = 0; i < sums.down; ++i) {
      Register of_a[Instruction::a_registers];
      Instruction::load_a(of_a, a + i * Instruction::rows * Tiles::a_stride + p, Tiles::a_stride);
      for (int j = 0; j < sums.across; ++j) {
        Instruction::multiply(sums.at[i][j], of_a, of_b[j]);
      }
    }
  }
}

/// Computes the tile of A B (row-major, m x k by k x n) that belongs to this block of 128 threads,
/// and calls write(row, column, sum) for each of its elements.
template <typename Instruction, typename Write>
__device__ inline void product(const typename Instruction::Element* a,
                               const typename Instruction::Element* b, int m, int n, int k, int lda,
                               int ldb, const Write& write) {
  using Tiles = Shared<Instruction>;
  using Element = typename Instruction::Element;
  __shared__ Tiles shared;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const tensor_tile::Operand<Element> operand_a = {a, m, k, lda};
  const tensor_tile::Operand<Element> operand_b = {b, k, n, ldb};
  const int warp = threadIdx.x / 32;
  const int warp_row = warp / 2 * warp_tile;  // row in the tile
  const int warp_column = warp % 2 * warp_tile;
  const int row0 = origin.row + warp_row;
  const int column0 = origin.column + warp_column;
  const bool has_work = row0 < m && column0 < n;

  Sums<Instruction> sums = {};
  for (int k0 = 0; k0 < k; k0 += Tiles::k_step) {
    tensor_tile::stage<tile, Tiles::k_step, Tiles::a_stride, threads>(shared.a, operand_a,
                                                                      origin.row, k0);
    tensor_tile::stage<Tiles::k_step, tile, Tiles::b_stride, threads>(shared.b, operand_b, k0,
                                                                      origin.column);
    __syncthreads();  // the tiles are complete
    if (has_work) multiply(sums, shared.a + warp_row * Tiles::a_stride, shared.b + warp_column);
    __syncthreads();  // every warp has read them
  }

  for (int i = 0; i < sums.down; ++i) {
    for (int j = 0; j < sums.across; ++j) {
      for (int s = 0; s < Instruction::sums; ++s) {
        const int row = row0 + i * Instruction::rows + Instruction::row_of(s);
        const int column = column0 + j * Instruction::columns + Instruction::column_of(s);
        if (row < m && column < n) write(row, column, sums.at[i][j][s]);
      }
    }
  }
}

}  // namespace mma_tile
