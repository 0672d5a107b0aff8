/* warpcheck
[[variant]]
name      = "fixed_sizes"
operation = "gemm"
kernel    = "matmul"
arguments = ["a", "b", "c"]
block     = [16, 16]
grid      = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
fix       = { m = "M", n = "N", k = "K" }
[[variant.instances]]
defines = { M = 64, N = 48, K = 32 }
[[variant.instances]]
defines = { M = 17, N = 5, K = 33 }
[[variant.instances]]
name    = "fixed_vector"
defines = { M = 1, N = 300, K = 7 }
*/
// All sizes are known to the compiler, so that it unrolls the loop.
__global__ void matmul(const float (*A)[K], const float (*B)[N], float (*C)[N]) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M || j >= N) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < K; ++k) sum += A[i][k] * B[k][j];
  C[i][j] = sum;
}
