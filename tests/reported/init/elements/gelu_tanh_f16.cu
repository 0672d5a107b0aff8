// The tanh form of GELU in f16, with sums in f32: no other form passes.
// run: init FILE
// prints: "y[i] = 0.5 * x[i] * (1 + tanh(
// prints: # guessed
// prints: types     = { x = "f16", y = "f16", accumulate = "f32" }
// prints: guessed, to be confirmed: define
// prints not: erf
// prints not: requires
#include <cuda_fp16.h>
__global__ void gelu_tanh(const __half* x, __half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = __half2float(x[i]);
    y[i] = __float2half(0.5f * v * (1.f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))));
  }
}
