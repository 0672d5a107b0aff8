/* warpcheck
[defaults]
operation = "gemm"
arguments = ["a", "b", "c", "m", "n", "k"]
block     = [16, 16]
grid      = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
requires  = ["m <= 65535 * 16"]

[[variant]]
name   = "many_naive"
kernel = "naive"

[[variant]]
name   = "many_shared"
kernel = "lesson::shared"

[[variant]]
name   = "many_transposed"
kernel = "lesson::swapped"
layout = { a = "row", b = "col", c = "row" }

[[variant]]
name   = "many_short"
kernel = "lesson::short_sum"
*/
// Four lessons in one file. The last one is wrong: it drops the last term of each sum.
__global__ void naive(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + column];
  c[row * n + column] = sum;
}

namespace lesson {

__global__ void shared(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[16][16];
  __shared__ float tb[16][17];
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int p = 0; p < k; p += 16) {
    const int ka = p + threadIdx.x;
    const int kb = p + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    tb[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

__global__ void swapped(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[column * k + p];
  c[row * n + column] = sum;
}

__global__ void short_sum(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k - 1; ++p) sum += a[row * k + p] * b[p * n + column];
  c[row * n + column] = sum;
}

}  // namespace lesson
