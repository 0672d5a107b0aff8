// Sum of n floats in two launches: partial sums per block, then one block adds the partials.
// Any 1 <= n <= 2^40; partials is scratch for 1024 floats, result is one float.
#include <cuda_runtime.h>

template <unsigned int blockSize>
__device__ void tree_reduce(volatile float* sdata, unsigned int tid) {
  if (blockSize >= 512) {
    if (tid < 256) sdata[tid] += sdata[tid + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (tid < 128) sdata[tid] += sdata[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64) sdata[tid] += sdata[tid + 64];
    __syncthreads();
  }
  if (tid < 32) {
    float v = sdata[tid] + sdata[tid + 32];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
    if (tid == 0) sdata[0] = v;
  }
}

template <unsigned int blockSize>
__global__ void reduce_partial(const float* g_idata, float* g_partials, unsigned long long n) {
  __shared__ float sdata[blockSize];
  const unsigned int tid = threadIdx.x;
  unsigned long long i = (unsigned long long)blockIdx.x * (blockSize * 2) + tid;
  const unsigned long long gridSize = (unsigned long long)blockSize * 2 * gridDim.x;

  float sum = 0.0f;
  while (i < n) {
    sum += g_idata[i];
    if (i + blockSize < n) sum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = sum;
  __syncthreads();

  tree_reduce<blockSize>(sdata, tid);
  if (tid == 0) g_partials[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize>
__global__ void reduce_final(const float* g_partials, float* g_result, unsigned int count) {
  __shared__ float sdata[blockSize];
  const unsigned int tid = threadIdx.x;
  float sum = 0.0f;
  for (unsigned int i = tid; i < count; i += blockSize) sum += g_partials[i];
  sdata[tid] = sum;
  __syncthreads();
  tree_reduce<blockSize>(sdata, tid);
  if (tid == 0) *g_result = sdata[0];
}

template __global__ void reduce_partial<256>(const float*, float*, unsigned long long);
template __global__ void reduce_final<256>(const float*, float*, unsigned int);

void launch_reduce_two_kernels(const float* in, float* partials, float* result,
                               unsigned long long n) {
  unsigned long long blocks = (n - 1) / 512 + 1;
  if (blocks > 1024) blocks = 1024;
  reduce_partial<256><<<(unsigned int)blocks, 256>>>(in, partials, n);
  reduce_final<256><<<1, 256>>>(partials, result, (unsigned int)blocks);
}
