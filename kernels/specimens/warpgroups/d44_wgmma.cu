// C = A B by a warpgroup that multiplies tiles of shared memory with wgmma. Every line of
// synchronisation is in LINE(number, code): a variant omits one of them, or replaces it by a wrong
// one.
#include "../../gemm/8_warpgroups/wgmma.cuh"

#define LINE(number, code) \
  if constexpr (omitted != number) code
#define CHOOSE(number, wrong, right) (omitted == number ? (wrong) : (right))

using Element = __nv_bfloat16;

constexpr int kStep = 32;  // along k
constexpr int kCores = kStep / wgmma::core;
constexpr int kCoreBytes = 128;
constexpr int kNextAlongK = 8 * kCoreBytes;

template <int omitted>  // 0: none
__global__ void __launch_bounds__(wgmma::threads)
    d44_wgmma(const Element* a, const Element* b, float* c, int m, int n, int k) {
  __shared__ alignas(128) Element tile_a[kCores][8][wgmma::core][wgmma::core];
  __shared__ alignas(128) Element tile_b[kCores][8][wgmma::core][wgmma::core];
  const int first_row = blockIdx.y * wgmma::rows;
  const int first_column = blockIdx.x * wgmma::columns;
  float sums[wgmma::sums] = {};
  for (int k0 = 0; k0 < k; k0 += kStep) {
    for (int i = threadIdx.x; i < kStep * 64; i += wgmma::threads) {
      const int row = i / kStep;
      const int along_row = i % kStep;
      const int column = i % 64;
      const int along_column = i / 64;
      const bool of_a = first_row + row < m && k0 + along_row < k;
      const bool of_b = k0 + along_column < k && first_column + column < n;
      if (of_a || omitted != 1) {
        tile_a[along_row / 8][row / 8][row % 8][along_row % 8] =  // finding here
            of_a ? a[size_t(first_row + row) * k + k0 + along_row] : Element(0.0f);
      }
      tile_b[along_column / 8][column / 8][along_column % 8][column % 8] =  // finding here
          of_b ? b[size_t(k0 + along_column) * n + first_column + column] : Element(0.0f);
    }
    LINE(2, wgmma::fence_proxy());
    LINE(3, __syncthreads());
    if (omitted == 4 && threadIdx.x >= 96) continue;  // finding here
    LINE(5, wgmma::fence());
    if constexpr (omitted == 12) sums[0] = fmaxf(sums[0], -1e30f);  // finding here
    for (int j = 0; j < kStep / wgmma::depth; ++j) {
      const int past = CHOOSE(6, 1, 0);
      wgmma::multiply<Element>(  // finding here
          sums, wgmma::descriptor(tile_a[2 * j + past], kNextAlongK, kCoreBytes),
          wgmma::descriptor(tile_b[2 * j], CHOOSE(7, kCoreBytes, kNextAlongK), kCoreBytes));
    }
    LINE(8, wgmma::commit());
    LINE(9, wgmma::wait<CHOOSE(10, 1, 0)>());  // finding here
    LINE(11, __syncthreads());
  }
  for (int i = 0; i < wgmma::sums; ++i) {
    const int row = first_row + wgmma::row_of(i);
    const int column = first_column + wgmma::column_of(i);
    if (row < m && column < n) c[size_t(row) * n + column] = sums[i];  // finding here
  }
}
