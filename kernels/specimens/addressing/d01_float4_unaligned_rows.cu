// Defect 1: rows of A are read by 16-byte loads at any address. Rows whose base or length is not a
// multiple of four elements do not start on a 16-byte boundary.

__global__ void d01_float4_unaligned_rows(const float* a, const float* b, float* c, int m, int n,
                                          int k, int lda, int ldb, int ldc) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  const float* row_of_a = a + size_t(row) * lda;
  const float* column_of_b = b + column;
  float sum = 0.0f;
  int p = 0;
  for (; p + 4 <= k; p += 4) {
    const float4 four = *reinterpret_cast<const float4*>(row_of_a + p);  // finding here
    sum += four.x * column_of_b[size_t(p + 0) * ldb];
    sum += four.y * column_of_b[size_t(p + 1) * ldb];
    sum += four.z * column_of_b[size_t(p + 2) * ldb];
    sum += four.w * column_of_b[size_t(p + 3) * ldb];
  }
  for (; p < k; ++p) sum += row_of_a[p] * column_of_b[size_t(p) * ldb];
  c[size_t(row) * ldc + column] = sum;
}
