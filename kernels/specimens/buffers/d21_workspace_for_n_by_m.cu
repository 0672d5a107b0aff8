// Defect 21: the partial results of split-K are padded to whole tiles, 8 rows by 4 columns, and
// stored without edge tests. The workspace is sized as if C were n x m, whose padding differs.

__device__ inline size_t padded(int size, int tile) {
  return (size_t(size) + tile - 1) / tile * tile;
}

__global__ void d21_store_partials(const float* a, const float* b, float* partials, int m, int n,
                                   int k) {
  const int column = blockIdx.x * 4 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  float sum = 0.0f;
  if (row < m && column < n) {
    for (int p = blockIdx.z; p < k; p += gridDim.z) {
      sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
    }
  }
  const size_t row_of_slice = blockIdx.z * padded(m, 8) + row;
  partials[row_of_slice * padded(n, 4) + column] = sum;  // finding here
}

__global__ void d21_add_partials(const float* partials, float* c, int m, int n) {
  const int column = blockIdx.x * 4 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int slice = 0; slice < 4; ++slice) {
    sum += partials[(slice * padded(m, 8) + row) * padded(n, 4) + column];
  }
  c[size_t(row) * n + column] = sum;
}
