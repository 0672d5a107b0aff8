// Matrix products of 16-bit floats on tensor cores with the instructions of Ampere: cp.async fills
// a ring of swizzled tiles in shared memory, ldmatrix loads fragments of them into registers, and
// mma.m16n8k16 multiplies and sums in f32.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "../sgemm.cuh"
#include "mma.cuh"

namespace hgemm_mma {

constexpr int tile = 64;    // rows and columns of C per block
constexpr int k_step = 32;  // terms of the inner dimension per stage
constexpr int stages = 3;
constexpr int threads = 128;  // 2 x 2 warps, each with 32 x 32 elements of C
constexpr int chunk = 8;      // elements in 16 bytes: a copy of one lane, a row of ldmatrix

/// Place of chunk `column` of row `row` in a row of `chunks`. The eight rows that ldmatrix loads at
/// once lie in different banks: the 128 bytes that cover all banks are one row of 8 chunks or two
/// rows of 4.
struct Swizzle {
  template <int chunks>
  __device__ static int place(int row, int column) {
    return column ^ row / (8 / chunks) % chunks;
  }
};

template <typename Element, int rows, int columns>
struct Tile {
  static constexpr int chunks = columns / chunk;
  Element elements[rows][columns];

  template <typename Order>
  __device__ Element* at(int row, int column) {
    return &elements[row][Order::template place<chunks>(row, column) * chunk];
  }
};

template <typename Element>
struct Stage {
  Tile<Element, tile, k_step> a;
  Tile<Element, k_step, tile> b;
};

__device__ inline bool is_aligned(const void* address, int bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

/// Begins to copy a chunk. Only its first `valid` elements exist (it may be negative, or more than
/// the chunk has); the others become zeros. cp.async moves at least 4 bytes, so that a chunk that
/// starts on an odd element is copied synchronously.
template <typename Element>
__device__ void begin_copy(Element* target, const Element* source, int valid) {
  const int missing = valid >= chunk ? 0 : valid > 0 ? chunk - valid : chunk;
  if (is_aligned(source, 16)) {
    __pipeline_memcpy_async(target, source, 16, missing * sizeof(Element));
  } else if (is_aligned(source, 4)) {
    for (int i = 0; i < chunk; i += 2) {
      const int zeros = valid >= i + 2 ? 0 : valid > i ? 1 : 2;
      __pipeline_memcpy_async(target + i, source + i, 4, zeros * sizeof(Element));
    }
  } else {
    for (int i = 0; i < chunk; ++i) target[i] = i < valid ? source[i] : Element(0.0f);
  }
}

/// The operands of one block's tile of C, and the place of that tile.
template <typename Element>
struct Operands {
  const Element* a;  // m x k, rows lda apart
  const Element* b;  // k x n, rows ldb apart
  int m, n, k, lda, ldb;
  sgemm::TileOrigin origin;  // place in C

  /// Begins to copy the tiles of the step that starts at `k0`; beyond k it copies nothing.
  __device__ void begin_step(int k0, Stage<Element>& stage) const {
    if (k0 >= k) return;
    for (int i = threadIdx.x; i < tile * k_step / chunk; i += threads) {
      const int row = i / (k_step / chunk);
      const int column = i % (k_step / chunk);
      begin_copy(stage.a.template at<Swizzle>(row, column),
                 a + size_t(origin.row + row) * lda + k0 + column * chunk,
                 origin.row + row < m ? k - k0 - column * chunk : 0);
    }
    for (int i = threadIdx.x; i < k_step * tile / chunk; i += threads) {
      const int row = i / (tile / chunk);
      const int column = i % (tile / chunk);
      begin_copy(stage.b.template at<Swizzle>(row, column),
                 b + size_t(k0 + row) * ldb + origin.column + column * chunk,
                 k0 + row < k ? n - origin.column - column * chunk : 0);
    }
  }
};

/// Four 8 x 8 matrices: lane l gives the address of a row of matrix l / 8 and receives, of each
/// matrix, two elements of row l / 4 (PTX ISA, ldmatrix).
__device__ inline void load_matrices(unsigned (&fragments)[4], const void* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragments[0]), "=r"(fragments[1]), "=r"(fragments[2]), "=r"(fragments[3])
               : "r"(address)
               : "memory");
}

/// Like load_matrices, and transposes each matrix.
__device__ inline void load_transposed(unsigned (&fragments)[4], const void* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragments[0]), "=r"(fragments[1]), "=r"(fragments[2]), "=r"(fragments[3])
               : "r"(address)
               : "memory");
}

/// A warp's 32 x 32 elements of C, as 2 x 4 fragments of 16 x 8.
template <typename Instruction>
struct Sums {
  float values[2][4][4] = {};

  __device__ static int first_row() { return threadIdx.x / 32 / 2 * 32; }  // row in the tile
  __device__ static int first_column() { return threadIdx.x / 32 % 2 * 32; }

  template <typename Order>
  __device__ void add(Stage<typename Instruction::Element>& stage) {
    const int lane = threadIdx.x % 32;
    for (int p = 0; p < k_step; p += 16) {
      unsigned a[2][4];
      for (int i = 0; i < 2; ++i) {
        load_matrices(a[i], stage.a.template at<Order>(first_row() + i * 16 + lane % 16,
                                                       p / chunk + lane / 16));
      }
      for (int j = 0; j < 4; j += 2) {
        unsigned b[4];
        load_transposed(
            b, stage.b.template at<Order>(p + lane % 16, first_column() / chunk + j + lane / 16));
        for (int i = 0; i < 2; ++i) {
          Instruction::multiply(values[i][j], a[i], {b[0], b[1]});
          Instruction::multiply(values[i][j + 1], a[i], {b[2], b[3]});
        }
      }
    }
  }

  /// Calls write(row, column, sum) for each sum that the calling thread holds; rows and columns of
  /// the block's tile.
  template <typename Write>
  __device__ void for_each(const Write& write) const {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) {
        for (int s = 0; s < 4; ++s) {
          write(first_row() + i * 16 + Instruction::row_of(s),
                first_column() + j * 8 + Instruction::column_of(s), values[i][j][s]);
        }
      }
    }
  }
};

/// Computes the tile of A B (row-major, m x k by k x n) that belongs to this block, and calls
/// write(row, column, sum) for each of its elements. `Order` is the order of chunks that the
/// products assume; the copies store them in the order of Swizzle.
template <typename Instruction, typename Order = Swizzle, typename Write>
__device__ void product(const typename Instruction::Element* a,
                        const typename Instruction::Element* b, int m, int n, int k, int lda,
                        int ldb, const Write& write) {
  using Element = typename Instruction::Element;
  __shared__ __align__(128) Stage<Element> ring[stages];
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const Operands<Element> operands = {a, b, m, n, k, lda, ldb, origin};
  for (int stage = 0; stage < stages - 1; ++stage) {
    operands.begin_step(stage * k_step, ring[stage]);
    __pipeline_commit();  // a group per step, empty ones beyond k, so that the count below holds
  }
  Sums<Instruction> sums;
  int current = 0;
  for (int k0 = 0; k0 < k; k0 += k_step) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();  // the current stage is complete, and every warp has read the one before
    operands.begin_step(k0 + (stages - 1) * k_step, ring[(current + stages - 1) % stages]);
    __pipeline_commit();
    sums.template add<Order>(ring[current]);
    current = (current + 1) % stages;
  }
  sums.for_each([&](int tile_row, int tile_column, float sum) {
    const int row = origin.row + tile_row;
    const int column = origin.column + tile_column;
    if (row < m && column < n) write(row, column, sum);
  });
}

}  // namespace hgemm_mma
