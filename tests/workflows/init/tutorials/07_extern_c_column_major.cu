// The interface of BLAS: column-major, leading dimensions, C linkage, no launch in this file.
extern "C" {

__global__ __launch_bounds__(256) void dgemm_nn(int m, int n, int k, double alpha,
                                                const double* __restrict__ A, int lda,
                                                const double* __restrict__ B, int ldb, double beta,
                                                double* __restrict__ C, int ldc) {
  const int i = blockIdx.x * 16 + threadIdx.x;
  const int j = blockIdx.y * 16 + threadIdx.y;
  if (i >= m || j >= n) return;
  double sum = 0.0;
  for (int p = 0; p < k; ++p) sum += A[i + p * lda] * B[p + j * ldb];
  double result = alpha == 0.0 ? 0.0 : alpha * sum;
  if (beta != 0.0) result += beta * C[i + j * ldc];
  C[i + j * ldc] = result;
}

}  // extern "C"
