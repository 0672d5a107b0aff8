// A literal in the place of alpha reaches the kernel as a float, and alpha itself as its parameter.
// prints: 3 variants, 300 cases
// prints: all passed
/* warpcheck
[defaults]
operation = "gemm"
block = [16, 16]
grid = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
[[variant]]
name = "literal"
kernel = "gemm"
arguments = ["a", "b", "c", "m", "n", "k", 1]
[[variant]]
name = "letters"
kernel = "gemm"
arguments = ["a", "b", "c", "m", "n", "k", "1e0"]
[[variant]]
name = "integer_sums"
kernel = "gemm_s8"
arguments = ["a", "b", "c", "m", "n", "k", "alpha"]
types = { a = "s8", b = "s8", c = "s32", accumulate = "s32" }
*/
__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k, float alpha) {
  const int i = blockIdx.y * 16 + threadIdx.y;
  const int j = blockIdx.x * 16 + threadIdx.x;
  if (i >= m || j >= n) return;
  float sum = 0.0f;
  for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
  c[i * n + j] = alpha * sum;
}

__global__ void gemm_s8(const signed char* a, const signed char* b, int* c, int m, int n, int k,
                        float alpha) {
  const int i = blockIdx.y * 16 + threadIdx.y;
  const int j = blockIdx.x * 16 + threadIdx.x;
  if (i >= m || j >= n) return;
  int sum = 0;
  for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
  c[i * n + j] = static_cast<int>(alpha) * sum;
}
