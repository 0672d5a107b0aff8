// Defect 78: a few rows are summed in two halves, many in one piece, so that the bits of a row
// depend on the number of rows in its batch. The contract promises that they do not.

__global__ void d78_sums_by_the_number_of_rows(const float* a, const float* b, float* c, int m,
                                               int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  const int half = m < 4 ? k / 2 : 0;
  float first = 0.0f;
  float second = 0.0f;
  for (int p = 0; p < half; ++p) first += a[size_t(row) * k + p] * b[size_t(p) * n + column];
  for (int p = half; p < k; ++p) second += a[size_t(row) * k + p] * b[size_t(p) * n + column];
  c[size_t(row) * n + column] = first + second;  // finding here
}
