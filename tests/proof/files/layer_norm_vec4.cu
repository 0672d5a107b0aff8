// LayerNorm of x[rows, cols] with gamma and beta, reading and writing 16 bytes at a time.
// cols is a multiple of 4 (4 <= cols <= 2^20), all pointers are 16-byte aligned, any rows >= 1.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

static constexpr int kThreads = 128;

__device__ float block_sum(cg::thread_block block, cg::thread_block_tile<32> warp, float v,
                           float* scratch) {
  for (int d = warp.size() / 2; d > 0; d /= 2) v += warp.shfl_xor(v, d);
  if (warp.thread_rank() == 0) scratch[warp.meta_group_rank()] = v;
  block.sync();
  float total = 0.f;
#pragma unroll
  for (int i = 0; i < kThreads / 32; i++) total += scratch[i];
  block.sync();  // scratch may be reused by the caller
  return total;
}

__global__ void layer_norm_vec4_kernel(const float* x, const float* gamma, const float* beta,
                                       float* y, int cols, float eps) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  __shared__ float scratch[kThreads / 32];

  const size_t base = static_cast<size_t>(blockIdx.x) * cols;
  const float4* x4 = reinterpret_cast<const float4*>(x + base);
  const float4* g4 = reinterpret_cast<const float4*>(gamma);
  const float4* b4 = reinterpret_cast<const float4*>(beta);
  float4* y4 = reinterpret_cast<float4*>(y + base);
  const int n4 = cols >> 2;

  float sum = 0.f;
  for (int i = threadIdx.x; i < n4; i += kThreads) {
    float4 v = x4[i];
    sum += v.x + v.y + v.z + v.w;
  }
  const float mean = block_sum(block, warp, sum, scratch) / cols;

  float sq = 0.f;
  for (int i = threadIdx.x; i < n4; i += kThreads) {
    float4 v = x4[i];
    v.x -= mean;
    v.y -= mean;
    v.z -= mean;
    v.w -= mean;
    sq += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  const float rstd = rsqrtf(block_sum(block, warp, sq, scratch) / cols + eps);

  for (int i = threadIdx.x; i < n4; i += kThreads) {
    float4 v = x4[i], g = g4[i], b = b4[i], o;
    o.x = (v.x - mean) * rstd * g.x + b.x;
    o.y = (v.y - mean) * rstd * g.y + b.y;
    o.z = (v.z - mean) * rstd * g.z + b.z;
    o.w = (v.w - mean) * rstd * g.w + b.w;
    y4[i] = o;
  }
}

void launch_layer_norm_vec4(const float* x, const float* gamma, const float* beta, float* y,
                            int rows, int cols, float eps, cudaStream_t stream) {
  layer_norm_vec4_kernel<<<rows, kThreads, 0, stream>>>(x, gamma, beta, y, cols, eps);
}
