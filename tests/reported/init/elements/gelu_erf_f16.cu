// The erf form of GELU in f16, with sums in f32: no other form passes.
// run: init FILE
// prints: define    = "y[i] = 0.5 * x[i] * (1 + erf(x[i] * sqrt(0.5)))"  # guessed
// prints: accumulate = "f32"
// prints not: tanh(
#include <cuda_fp16.h>
__global__ void gelu(const __half* x, __half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = __half2float(x[i]);
    y[i] = __float2half(0.5f * v * (1.f + erff(0.70710678f * v)));
  }
}
