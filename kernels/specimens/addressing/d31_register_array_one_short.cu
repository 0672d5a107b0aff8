// Defect 31: a thread keeps the sums of four rows in an array of three. The loops are not unrolled,
// so that the array is indexed at run time and lies in local memory.

__global__ void d31_register_array_one_short(const float* a, const float* b, float* c, int m, int n,
                                             int k) {
  constexpr int rows_per_thread = 4;
  float sums[3];

  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int first_row = (blockIdx.y * blockDim.y + threadIdx.y) * rows_per_thread;
  if (column >= n) return;

#pragma unroll 1
  for (int i = 0; i < rows_per_thread; ++i) {
    sums[i] = 0.0f;  // finding here
  }
#pragma unroll 1
  for (int p = 0; p < k; ++p) {
#pragma unroll 1
    for (int i = 0; i < rows_per_thread && first_row + i < m; ++i) {
      sums[i] += a[size_t(first_row + i) * k + p] * b[size_t(p) * n + column];  // finding here
    }
  }
#pragma unroll 1
  for (int i = 0; i < rows_per_thread && first_row + i < m; ++i) {
    c[size_t(first_row + i) * n + column] = sums[i];  // finding here
  }
}
