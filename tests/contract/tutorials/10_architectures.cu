/* warpcheck
[defaults]
operation = "gemm"
kernel    = "multiply"
arguments = ["a", "b", "c", "m", "n", "k", "min(k, LIMIT)"]
block     = [128]
grid      = ["ceil_div(m * n, 128)"]
defines   = { LIMIT = 64 }

[[variant]]
name = "ampere"
arch = "sm_80"

[[variant]]
name  = "hopper"
arch  = "sm_90"
flags = ["-G"]
*/
// The first LIMIT terms and the others are added apart. Hopper adds them in another order.
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m * n) return;
  const float* x = a + i / n * k;
  const float* y = b + i % n;
  float head = 0.0f;
  float tail = 0.0f;
  for (int p = 0; p < first; ++p) head += x[p] * y[p * n];
  for (int p = LIMIT; p < k; ++p) tail += x[p] * y[p * n];
#if __CUDA_ARCH__ >= 900
  c[i] = tail + head;
#else
  c[i] = head + tail;
#endif
}
