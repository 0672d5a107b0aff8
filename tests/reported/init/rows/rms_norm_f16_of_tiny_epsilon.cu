// The right one is named among definitions that differ in the epsilon alone.
// run: init FILE
// prints: y[i,j] = x[i,j] * rsqrt(variance[i] + 1e-12) * w[j]
// prints: # guessed
#include <cuda_fp16.h>
__global__ void rms(const half* x, const half* w, half* y, int rows, int d) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0;
  for (int j = 0; j < d; ++j) {
    float v = __half2float(x[r * d + j]);
    s += v * v;
  }
  s = rsqrtf(s / d + 1e-12f);
  for (int j = 0; j < d; ++j)
    y[r * d + j] = __float2half(__half2float(x[r * d + j]) * s * __half2float(w[j]));
}
