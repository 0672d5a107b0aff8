// A warpgroup, 128 threads, multiplies tiles of shared memory with one instruction per 16 columns
// of A. Its sums stay in registers, its operands do not pass through them.
#include "../sgemm.cuh"
#include "wgmma.cuh"

template <typename T>
__global__ void __launch_bounds__(wgmma::threads)
    hgemm_wgmma(const T* a, const T* b, float* c, int m, int n, int k, int lda, int ldb, int ldc,
                float alpha, float beta) {
  constexpr int step = 64;  // along k
  constexpr int cores = step / wgmma::core;
  constexpr int core_bytes = 128;
  constexpr int next_along_k = 8 * core_bytes;
  // By core matrix along k, by core matrix along m or n, and then 8 x 8 elements.
  __shared__ alignas(128) T tile_a[cores][8][wgmma::core][wgmma::core];
  __shared__ alignas(128) T tile_b[cores][8][wgmma::core][wgmma::core];

  const sgemm::TileOrigin origin = sgemm::tile_origin<wgmma::rows, wgmma::columns>(n);
  float sums[wgmma::sums] = {};
  for (int k0 = 0; k0 < k; k0 += step) {
    for (int i = threadIdx.x; i < step * 64; i += wgmma::threads) {
      const int slow = i / 64;
      const int fast = i % 64;
      const int row = origin.row + slow;
      const int column = origin.column + fast;
      tile_a[fast / 8][slow / 8][slow % 8][fast % 8] =
          row < m && k0 + fast < k ? a[size_t(row) * lda + k0 + fast] : T(0.0f);
      tile_b[slow / 8][fast / 8][slow % 8][fast % 8] =
          k0 + slow < k && column < n ? b[size_t(k0 + slow) * ldb + column] : T(0.0f);
    }
    wgmma::fence_proxy();
    __syncthreads();
    wgmma::fence();
    for (int j = 0; j < step / wgmma::depth; ++j) {
      wgmma::multiply<T>(sums, wgmma::descriptor(tile_a[2 * j], next_along_k, core_bytes),
                         wgmma::descriptor(tile_b[2 * j], next_along_k, core_bytes));
    }
    wgmma::commit();
    wgmma::wait<0>();
    __syncthreads();
  }

  for (int i = 0; i < wgmma::sums; ++i) {
    const int row = origin.row + wgmma::row_of(i);
    const int column = origin.column + wgmma::column_of(i);
    if (row >= m || column >= n) continue;
    float& element = c[size_t(row) * ldc + column];
    const float product = alpha == 0.0f ? 0.0f : alpha * sums[i];
    element = beta == 0.0f ? product : product + beta * element;
  }
}
