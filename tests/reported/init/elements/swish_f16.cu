// Swish in f16, computed in f32 with a fast exponential.
// run: init FILE
// prints: "y[i] = x[i] / (1 + exp(-x[i]))"
// prints: fast_math = true
// prints: accumulate = "f32"
#include <cuda_fp16.h>
__global__ void swish(const half* x, half* y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    float v = __half2float(x[i]);
    y[i] = __float2half(v * (1.0f / (1.0f + __expf(-v))));
  }
}
