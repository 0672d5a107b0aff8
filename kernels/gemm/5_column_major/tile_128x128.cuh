// The parts of the column-major 128 x 128 tile. Its plain and its pipelined kernel combine them in
// different orders. A block has 256 threads and takes 8 elements of k per step; a thread computes
// 4 rows x 16 columns of C.
#pragma once

#include "../sgemm.cuh"

namespace sgemm_column_128_parts {

constexpr int tile = 128;
constexpr int k_step = 8;
constexpr int rows_per_thread = 4;
constexpr int columns_per_thread = 16;

struct Operands {
  int m;
  int n;
  int k;
  const float* a;
  int lda;
  const float* b;
  int ldb;
};

/// One step's tiles in shared memory. k is the slow axis of both: B is transposed on its way into
/// shared memory.
struct __align__(16) Stage {
  float a[k_step][tile];  // [k][row]
  float b[k_step][tile];  // [k][column]
};

/// A thread's share of a stage, on its way from global to shared memory.
struct Fetched {
  float4 a;  // four rows at one k
  float4 b;  // four k of one column
};

/// The 4 x 16 elements of C of one thread. The lanes of a warp hold consecutive rows, so that they
/// read A in sequence and B as a broadcast.
struct Sums {
  float of[columns_per_thread][rows_per_thread] = {};
};

__device__ inline int warp() { return threadIdx.x / 32; }
__device__ inline int lane() { return threadIdx.x % 32; }

__device__ inline Fetched fetch(const Operands& operands, sgemm::TileOrigin origin, int k0) {
  const int row = origin.row + lane() * 4;
  const int a_k = k0 + warp();
  const int column = origin.column + static_cast<int>(threadIdx.x) / 2;
  const int b_k = k0 + threadIdx.x % 2 * 4;
  return {sgemm::load4(operands.a + size_t(a_k) * operands.lda + row,
                       a_k < operands.k ? operands.m - row : 0),
          sgemm::load4(operands.b + size_t(column) * operands.ldb + b_k,
                       column < operands.n ? operands.k - b_k : 0)};
}

__device__ inline void put(const Fetched& fetched, Stage& stage) {
  *reinterpret_cast<float4*>(&stage.a[warp()][lane() * 4]) = fetched.a;
  const int column = threadIdx.x / 2;
  const int b_k = threadIdx.x % 2 * 4;
  stage.b[b_k + 0][column] = fetched.b.x;
  stage.b[b_k + 1][column] = fetched.b.y;
  stage.b[b_k + 2][column] = fetched.b.z;
  stage.b[b_k + 3][column] = fetched.b.w;
}

__device__ inline void multiply(const Stage& stage, Sums& sums) {
  for (int p = 0; p < k_step; ++p) {
    const float4 rows = *reinterpret_cast<const float4*>(&stage.a[p][lane() * rows_per_thread]);
    for (int j = 0; j < columns_per_thread; ++j) {
      const float element_of_b = stage.b[p][warp() * columns_per_thread + j];
      sums.of[j][0] += rows.x * element_of_b;
      sums.of[j][1] += rows.y * element_of_b;
      sums.of[j][2] += rows.z * element_of_b;
      sums.of[j][3] += rows.w * element_of_b;
    }
  }
}

__device__ inline void write_back(const Sums& sums, const Operands& operands,
                                  sgemm::TileOrigin origin, float alpha, float beta, float* c,
                                  int ldc) {
  const int row = origin.row + lane() * rows_per_thread;
  for (int j = 0; j < columns_per_thread; ++j) {
    const int column = origin.column + warp() * columns_per_thread + j;
    if (column < operands.n) {
      const float(&rows)[rows_per_thread] = sums.of[j];
      sgemm::update4(c + size_t(column) * ldc + row, operands.m - row,
                     make_float4(rows[0], rows[1], rows[2], rows[3]), alpha, beta);
    }
  }
}

}  // namespace sgemm_column_128_parts
