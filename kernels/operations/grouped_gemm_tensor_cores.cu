// The rows of x, sorted by expert, times the matrix of their expert, in bf16: element by element,
// and on tensor cores with tiles that two stages of cp.async fill. Experts may have no rows.
/* warpcheck
[[operation]]
name    = "grouped_gemm"
extents = ["tokens", "experts", "inner", "columns"]
inputs.x    = { shape = ["tokens", "inner"] }
inputs.w    = { shape = ["experts", "inner", "columns"] }
inputs.ends = { shape = ["experts"], integer = true, range = [0, "tokens"], sorted = true }
outputs.y = { shape = ["tokens", "columns"] }
define  = """
  # The rows of expert e end before row ends[e]; those of the last one are all that remain.
  expert[t in tokens] = min(sum(e: 1 where ends[e] <= t), experts - 1)
  y[t,n] = sum(k: x[t,k] * w[expert[t], k, n])
"""

[defaults]
operation = "grouped_gemm"
types     = { x = "bf16", w = "bf16", y = "bf16" }
arguments = ["x", "w", "ends", "y", "tokens", "experts", "inner", "columns"]

[[variant]]
name   = "grouped_gemm_elements"
kernel = "grouped_gemm_elements"
block  = [64]
grid   = ["ceil_div(columns, 64)", "tokens"]
requires = ["experts >= 1 and tokens <= 65535"]

[[variant]]
name   = "grouped_gemm_mma"
kernel = "grouped_gemm_mma"
tensor_cores = true
block  = [64]
grid   = ["ceil_div(columns, 32)", "ceil_div(tokens, 16)", "experts"]
requires = [
  "experts >= 1 and experts <= 65535 and tokens <= 1048560",
  "inner % 8 == 0 and columns % 8 == 0 and aligned(x, 16) and aligned(w, 16)",
]
*/

#include "../gemm/6_tensor_cores/mma.cuh"

__global__ void grouped_gemm_elements(const __nv_bfloat16* x, const __nv_bfloat16* w,
                                      const int* ends, __nv_bfloat16* y, int tokens, int experts,
                                      int inner, int columns) {
  const int column = blockIdx.x * 64 + threadIdx.x;
  const int token = blockIdx.y;
  if (column >= columns) return;
  int expert = 0;
  while (expert + 1 < experts && ends[expert] <= token) ++expert;
  const __nv_bfloat16* matrix = w + static_cast<size_t>(expert) * inner * columns;
  float sum = 0.0f;
  for (int k = 0; k < inner; ++k) {
    sum += __bfloat162float(x[static_cast<size_t>(token) * inner + k]) *
           __bfloat162float(matrix[static_cast<size_t>(k) * columns + column]);
  }
  y[static_cast<size_t>(token) * columns + column] = __float2bfloat16(sum);
}

constexpr int kStep = 32;    // along k
constexpr int kStride = 40;  // elements per row of a tile: 8 rows of 16 bytes use different banks

/// Copies 16 bytes, or zeros if they do not exist, while the threads go on.
__device__ void copy16(void* to, const void* from, bool exists) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from),
               "r"(exists ? 16 : 0)
               : "memory");
}

struct Tiles {
  alignas(16) __nv_bfloat16 x[16 * kStride];
  alignas(16) __nv_bfloat16 w[kStep * kStride];
};

/// A block of two warps computes 16 rows of one expert and 32 columns, each warp half of them.
__global__ void grouped_gemm_mma(const __nv_bfloat16* x, const __nv_bfloat16* w, const int* ends,
                                 __nv_bfloat16* y, int tokens, int experts, int inner,
                                 int columns) {
  __shared__ Tiles tiles[2];
  const int expert = blockIdx.z;
  const int end = expert + 1 < experts ? ends[expert] : tokens;
  const int row0 = (expert == 0 ? 0 : ends[expert - 1]) + blockIdx.y * 16;
  const int column0 = blockIdx.x * 32;
  if (row0 >= end) return;
  const __nv_bfloat16* matrix = w + static_cast<size_t>(expert) * inner * columns;

  const auto fill = [&](Tiles& tile, int k0) {
    const int row = threadIdx.x / 4;  // each row has four parts of 16 bytes
    const int part = threadIdx.x % 4 * 8;
    const bool has_x = row0 + row < end && k0 + part < inner;
    copy16(tile.x + row * kStride + part,
           has_x ? x + static_cast<size_t>(row0 + row) * inner + k0 + part : x, has_x);
    for (int k = row; k < kStep; k += 16) {
      const bool has_w = k0 + k < inner && column0 + part < columns;
      copy16(tile.w + k * kStride + part,
             has_w ? matrix + static_cast<size_t>(k0 + k) * columns + column0 + part : w, has_w);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };

  float sums[2][4] = {};
  if (inner > 0) fill(tiles[0], 0);
  for (int k0 = 0, stage = 0; k0 < inner; k0 += kStep, stage ^= 1) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();  // the tile is complete, and the other one is read
    if (k0 + kStep < inner) fill(tiles[stage ^ 1], k0 + kStep);
    const Tiles& tile = tiles[stage];
    for (int k = 0; k < kStep; k += 16) {
      unsigned a[4];
      mma::Bf16::load_a(a, tile.x + k, kStride);
      for (int n = 0; n < 2; ++n) {
        unsigned b[2];
        mma::Bf16::load_b(b, tile.w + k * kStride + threadIdx.x / 32 * 16 + n * 8, kStride);
        mma::Bf16::multiply(sums[n], a, b);
      }
    }
  }
  for (int n = 0; n < 2; ++n) {
    for (int i = 0; i < 4; ++i) {
      const int row = row0 + mma::Bf16::row_of(i);
      const int column = column0 + threadIdx.x / 32 * 16 + n * 8 + mma::Bf16::column_of(i);
      if (row < end && column < columns) {
        y[static_cast<size_t>(row) * columns + column] = __float2bfloat16(sums[n][i]);
      }
    }
  }
}
