// float4, half, bfloat16, and conversions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void vectors(float4* quads, const __half2* halves, __nv_bfloat162* brains, double2* pairs,
                        const float* __restrict__ source, uchar4* bytes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 q = __ldg(reinterpret_cast<const float4*>(source) + i);
  __half2 h = __hfma2(halves[i], halves[i + 1], __float2half2_rn(0.5f));
  q.x += __low2float(h);
  q.y = fmaf(q.z, q.w, __high2float(h));
  q.z = __frcp_rn(q.x) + __fsqrt_rd(q.y) + rsqrtf(q.w) + __expf(q.x) + sinf(q.y);
  quads[i] = q;
  brains[i] = __hadd2(brains[i], __floats2bfloat162_rn(q.x, q.y));
  double2 p = pairs[i];
  pairs[i] = make_double2(p.x / p.y, sqrt(p.x) + __double2int_rz(p.y));
  uchar4 b = bytes[i];
  bytes[i] = make_uchar4(b.w, b.z, static_cast<unsigned char>(__float2uint_ru(q.x)), b.x);
}
