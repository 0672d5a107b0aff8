// A product of bf16, fp16 and fp8 values, with assert and printf. The defect: an assertion fails.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cassert>

#include "common.h"

__global__ void quantize(const float* in, __nv_fp8_e4m3* q, __nv_bfloat16* b, __half2* h,
                         float* scale, int n, float most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m = i < n ? fabsf(in[i]) : 0.0f;
  for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
  assert(m < most);  // finding here
  float s = 448.0f / fmaxf(m, 1e-6f);
  if (i < n) {
    q[i] = __nv_fp8_e4m3(in[i] * s);
    b[i] = __float2bfloat16(in[i]);
    if (i % 2 == 0 && i + 1 < n) h[i / 2] = __floats2half2_rn(in[i], in[i + 1]);
  }
  if ((threadIdx.x & 31) == 0) scale[i / 32] = s;
  if (i == 0) printf("scale %.3f, warp size %d\n", s, warpSize);
}

__global__ void dot(const __nv_fp8_e4m3* q, const __nv_bfloat16* b, const __half2* h,
                    const float* scale, float* out, int n) {
  __shared__ float sums[8];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float v = float(q[i]) / scale[i / 32];
    s += v * __bfloat162float(b[i]) + (i % 2 ? __high2float(h[i / 2]) : __low2float(h[i / 2]));
  }
  for (int d = 16; d; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    float t = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) t += sums[w];
    *out = t;
  }
}

int main(int argc, char** argv) {
  const Timing timing;
  const int n = 512;
  float h[n], result;
  double exact = 0;
  for (int i = 0; i < n; ++i) h[i] = (i % 64) * (i % 3 - 1), exact += double(h[i]) * h[i] + h[i];
  float *in, *scale, *out;
  __nv_fp8_e4m3* q;
  __nv_bfloat16* b;
  __half2* hh;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&scale, n / 32 * sizeof(float)));
  CHECK(cudaMalloc(&out, sizeof(float)));
  CHECK(cudaMalloc(&q, n));
  CHECK(cudaMalloc(&b, n * 2));
  CHECK(cudaMalloc(&hh, n * 2));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  quantize<<<n / 128, 128>>>(in, q, b, hh, scale, n, has_defect(argc, argv) ? 60.0f : 64.0f);
  dot<<<1, 256>>>(q, b, hh, scale, out, n);
  CHECK(cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost));
  for (void* p : {(void*)in, (void*)scale, (void*)out, (void*)q, (void*)b, (void*)hh})
    CHECK(cudaFree(p));
  bool ok = result > exact * 0.97 && result < exact * 1.03;
  std::puts(ok ? "correct" : "wrong");
  return !ok;
}
