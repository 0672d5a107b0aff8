/* warpcheck
[[variant]]
name = "mine"
kernel = "multiply"
operation = "gemm"
layout = "row"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k"]
block = [16, 16]
grid = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
requires = ["m <= 1048560"]
*/
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += a[size_t(row) * k + i] * b[size_t(i) * n + column];
  c[size_t(row) * n + column] = sum;
}
