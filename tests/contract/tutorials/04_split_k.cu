/* warpcheck
[[variant]]
name      = "split"
operation = "gemm"
workspace = { bytes = "4 * PARTS * m * n" }
split_k   = "PARTS"
requires  = ["m <= 65535 * 4"]
[[variant.launch]]
kernel    = "part<PARTS>"
arguments = ["a", "b", "workspace", "m", "n", "k", "ceil_div(k, PARTS)", "m * n"]
block     = [32, 4]
grid      = ["ceil_div(n, 32)", "ceil_div(m, 4)", "PARTS"]
[[variant.launch]]
kernel    = "add_parts"
arguments = ["workspace", "c", "m * n", "PARTS"]
block     = [128]
grid      = ["ceil_div(m * n, 128)"]
[[variant.instances]]
constants = { PARTS = 2 }
[[variant.instances]]
constants = { PARTS = 5 }
*/
template <int parts>
__global__ void part(const float* a, const float* b, float* partial, int m, int n, int k,
                     int length, long plane) {
  static_assert(parts > 1);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  const int begin = blockIdx.z * length;
  const int end = min(begin + length, k);
  float sum = 0.0f;
  for (int p = begin; p < end; ++p) sum += a[row * k + p] * b[p * n + column];
  partial[blockIdx.z * plane + row * n + column] = sum;
}

__global__ void add_parts(const float* partial, float* c, int count, int parts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0.0f;
  for (int p = 0; p < parts; ++p) sum += partial[p * static_cast<long>(count) + i];
  c[i] = sum;
}
