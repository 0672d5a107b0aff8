// In-place rotary embedding, interleaved pairs (GPT-J style), x is [batch, seq, heads, dim]
// contiguous. All sizes >= 1, dim is even, x is 8-byte aligned, cos/sin tables are [seq, dim/2];
// the tensor may exceed 2^31 elements.
#include <cuda_runtime.h>

__global__ void rope_interleaved_kernel(float* x, const float* __restrict__ cos_t,
                                        const float* __restrict__ sin_t, int seq, int heads,
                                        int half_dim, long long total_pairs) {
  long long idx = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= total_pairs) return;

  // idx = ((b * seq + s) * heads + h) * half_dim + p
  int p = (int)(idx % half_dim);
  long long t = idx / half_dim;
  t /= heads;
  int s = (int)(t % seq);

  float c = cos_t[(long long)s * half_dim + p];
  float sn = sin_t[(long long)s * half_dim + p];

  float2* ptr = reinterpret_cast<float2*>(x) + idx;
  float2 v = *ptr;
  *ptr = make_float2(v.x * c - v.y * sn, v.x * sn + v.y * c);
}

void launch_rope_interleaved(float* x, const float* cos_t, const float* sin_t, int batch, int seq,
                             int heads, int dim, cudaStream_t stream) {
  long long total_pairs = (long long)batch * seq * heads * (dim / 2);
  int threads = 256;
  unsigned blocks = (unsigned)((total_pairs + threads - 1) / threads);
  rope_interleaved_kernel<<<blocks, threads, 0, stream>>>(x, cos_t, sin_t, seq, heads, dim / 2,
                                                          total_pairs);
}
