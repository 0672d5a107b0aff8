// A filter with its weights in constant memory and a tile in dynamic shared memory, and a sum with
// warp shuffles. With DEFECT, the tile has no room for its margin.
#include <cstdio>
#include <vector>

#include "timing.hpp"

constexpr int radius = 2;
constexpr int threads = 128;
__constant__ float weights[2 * radius + 1];

__global__ void filter(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  const int begin = blockIdx.x * threads - radius;
  for (int i = threadIdx.x; i < threads + 2 * radius; i += threads) {
    const int at = begin + i;
    tile[i] = at >= 0 && at < n ? in[at] : 0.0f;  // finding here
  }
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k <= 2 * radius; ++k) sum += weights[k] * tile[threadIdx.x + k];
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

__global__ void total(const float* in, float* out) {
  float sum = in[blockIdx.x * threads + threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

int main() {
  const Timing timing;
  constexpr int n = 4 * threads;
  const std::vector<float> host(n, 1.0f);
  const std::vector<float> host_weights(2 * radius + 1, 0.25f);
  float *in, *out, *sum;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, host_weights.data(), sizeof weights);
  cudaMemset(sum, 0, sizeof(float));
#ifdef DEFECT
  const int room = threads;
#else
  const int room = threads + 2 * radius;
#endif
  filter<<<n / threads, threads, room * sizeof(float)>>>(in, out, n);
  total<<<n / threads, threads>>>(out, sum);
  float result = 0.0f;
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  for (float* one : {in, out, sum}) cudaFree(one);
  if (result != n * 1.25f - 6 * 0.25f) return 7;
  std::puts("correct");
}
