// Defect 16: the lanes of a warp store a piece of A's row for one another, and no warp barrier
// separates the writes from the reads. Correct while the lanes run in lockstep, which has not been
// guaranteed since Volta.

__global__ void d16_no_warp_barrier(const float* a, const float* b, float* c, int m, int n, int k) {
  constexpr int warp_size = 32;
  constexpr int rows = 4;  // rows of C in a block, one per warp
  __shared__ float piece_of_a[rows][warp_size];

  const int lane = threadIdx.x;
  const int warp = threadIdx.y;
  const int column = blockIdx.x * warp_size + lane;
  const int row = blockIdx.y * rows + warp;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += warp_size) {
    const float of_a = row < m && k0 + lane < k ? a[size_t(row) * k + k0 + lane] : 0.0f;
    piece_of_a[warp][lane] = of_a;  // finding here
    for (int p = 0; p < warp_size; ++p) {
      const float of_b = k0 + p < k && column < n ? b[size_t(k0 + p) * n + column] : 0.0f;
      sum += piece_of_a[warp][p] * of_b;  // finding here
    }
    __syncwarp();
  }
  if (row < m && column < n) {
    c[size_t(row) * n + column] = sum;
  }
}
