// Two stages of shared memory: while a block multiplies the tiles of one stage, asynchronous copies
// fill the other (cp.async, compute capability 8.0), without registers for the data. Rows that
// start on a 16-byte boundary are copied 16 bytes at a time, other rows 4 bytes at a time. The
// copies write zeros where the matrices end.

#include <cuda_pipeline.h>

#include "../sgemm.cuh"

namespace sgemm_double_buffered_parts {

constexpr int tile = 64;
constexpr int k_step = 16;

struct Stage {
  float a[tile][k_step];
  float b[k_step][tile];
};

/// Begins to copy four consecutive elements. Only the first `valid` exist (it may be negative); the
/// others become zeros.
__device__ inline void begin_copy4(float* target, const float* source, int valid) {
  if (sgemm::is_aligned_for_float4(source)) {
    const int missing = valid >= 4 ? 0 : valid > 0 ? 4 - valid : 4;
    __pipeline_memcpy_async(target, source, 4 * sizeof(float), missing * sizeof(float));
  } else {
    for (int i = 0; i < 4; ++i) {
      __pipeline_memcpy_async(target + i, source + i, sizeof(float), i < valid ? 0 : sizeof(float));
    }
  }
}

}  // namespace sgemm_double_buffered_parts

__global__ void __launch_bounds__(256)
    sgemm_double_buffered(const float* a, const float* b, float* c, int m, int n, int k, int lda,
                          int ldb, int ldc, float alpha, float beta) {
  using namespace sgemm_double_buffered_parts;
  __shared__ __align__(16) Stage stages[2];

  const int thread = threadIdx.x;
  const sgemm::TileOrigin origin = sgemm::tile_origin<tile, tile>(n);
  const int thread_row = thread / 16 * 4;  // row in the tile of the thread's 4 x 4 elements
  const int thread_column = thread % 16 * 4;

  // The four elements of each operand that this thread copies in every step.
  const int a_row = thread / 4;
  const int a_k = thread % 4 * 4;
  const int b_k = thread / 16;
  const int b_column = thread % 16 * 4;
  const bool a_row_exists = origin.row + a_row < m;

  const auto begin_step = [&](int k0, Stage& stage) {
    begin_copy4(&stage.a[a_row][a_k], a + size_t(origin.row + a_row) * lda + k0 + a_k,
                a_row_exists ? k - k0 - a_k : 0);
    begin_copy4(&stage.b[b_k][b_column], b + size_t(k0 + b_k) * ldb + origin.column + b_column,
                k0 + b_k < k ? n - origin.column - b_column : 0);
  };

  float sums[4][4] = {};
  if (k > 0) begin_step(0, stages[0]);
  __pipeline_commit();
  int current = 0;
  for (int k0 = 0; k0 < k; k0 += k_step) {
    if (k0 + k_step < k) begin_step(k0 + k_step, stages[1 - current]);
    __pipeline_commit();  // an empty group in the last step, so that the count below holds there
                          // too
    __pipeline_wait_prior(1);
    __syncthreads();  // the current stage is complete

    const Stage& stage = stages[current];
    for (int p = 0; p < k_step; ++p) {
      const float4 row_of_b = *reinterpret_cast<const float4*>(&stage.b[p][thread_column]);
      for (int i = 0; i < 4; ++i) {
        const float element_of_a = stage.a[thread_row + i][p];
        sums[i][0] += element_of_a * row_of_b.x;
        sums[i][1] += element_of_a * row_of_b.y;
        sums[i][2] += element_of_a * row_of_b.z;
        sums[i][3] += element_of_a * row_of_b.w;
      }
    }
    __syncthreads();  // every warp has read it: the next step copies into it
    current = 1 - current;
  }

  const int column = origin.column + thread_column;
  for (int i = 0; i < 4; ++i) {
    const int row = origin.row + thread_row + i;
    if (row < m) {
      sgemm::update4(c + size_t(row) * ldc + column, n - column,
                     make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]), alpha, beta);
    }
  }
}
