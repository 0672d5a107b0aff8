// Defect 27: the batch is numbered by the z axis of the grid, which ends at 65535 blocks. The
// launch for one product more is refused, and nothing is computed.

__global__ void d27_grid_z_batches(const float* a, const float* b, float* c,  // finding here
                                   int m, int n, int k, int batch, long long stride_a,
                                   long long stride_b, long long stride_c) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n || blockIdx.z >= batch) return;

  a += blockIdx.z * stride_a;
  b += blockIdx.z * stride_b;
  c += blockIdx.z * stride_c;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
  c[size_t(row) * n + column] = sum;
}
