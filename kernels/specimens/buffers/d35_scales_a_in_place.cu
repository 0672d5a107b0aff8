// Defect 35: alpha is folded into A once, in place, instead of into every sum. C is correct, but
// the caller's A has changed. A block owns a row of A and of C, so that nothing races.

__global__ void d35_scales_a_in_place(float* a, const float* b, float* c, int n, int k, int lda,
                                      int ldb, int ldc, float alpha) {
  float* row_of_a = a + size_t(blockIdx.x) * lda;
  float* row_of_c = c + size_t(blockIdx.x) * ldc;

  for (int p = threadIdx.x; p < k; p += blockDim.x) {
    row_of_a[p] = alpha == 0.0f ? 0.0f : alpha * row_of_a[p];  // finding here
  }
  __syncthreads();

  for (int column = threadIdx.x; column < n; column += blockDim.x) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += row_of_a[p] * b[size_t(p) * ldb + column];
    row_of_c[column] = sum;
  }
}
