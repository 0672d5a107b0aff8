// Half precision, both operands read along k as half2, sums in single precision.
#include <cuda_fp16.h>

__global__ void hgemm_half2(const __half* A, const __half* B, float* C, int M, int N, int K) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N) return;

  const __half2* a = reinterpret_cast<const __half2*>(A + m * K);
  const __half2* b = reinterpret_cast<const __half2*>(B + n * K);
  float acc = 0.0f;
  for (int k = 0; k < (K + 1) / 2; ++k) {
    const float2 x = __half22float2(a[k]);
    const float2 y = __half22float2(b[k]);
    acc += x.x * y.x;
    acc += x.y * y.y;
  }
  C[m * N + n] = acc;
}
