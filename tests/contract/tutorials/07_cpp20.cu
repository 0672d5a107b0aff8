/* warpcheck
[[variant]]
name      = "cpp20"
operation = "gemm"
kernel    = "multiply<float>"
arguments = ["a", "b", "c", "m", "n", "k"]
block     = [16, 16]
grid      = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
requires  = ["m <= 65535 * 16"]
flags     = ["-std=c++20", "--extended-lambda", "--expt-relaxed-constexpr", "--fmad=false"]
*/
#include <algorithm>
#include <concepts>

template <std::floating_point T>
__global__ void multiply(const T* a, const T* b, T* c, int m, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  const auto product = [=] __device__(int p) { return a[row * k + p] * b[p * n + column]; };
  if (std::max(row - m, column - n) >= 0) return;
  T sum = 0;
  for (int p = 0; p < k; ++p) sum += product(p);
  c[row * n + column] = sum;
}
