// Numbers of 8 bits times the scale of their column.
// run: init FILE
// prints: "o_[i,j] = w[i,j] * s[j]"
#include <cstdint>
__global__ void dq(const int8_t* w, const float* s, float* o, int K, int N) {
  int n = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y;
  if (n < N) o[k * N + n] = w[k * N + n] * s[n];
}
