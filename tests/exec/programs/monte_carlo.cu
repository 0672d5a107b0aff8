// Estimates pi with the device functions of cuRAND. With DEFECT, there is one state too few.
#include <curand_kernel.h>

#include <cstdio>

#include "timing.hpp"

constexpr int threads = 128;

__global__ void prepare(curandState* states) {
  curand_init(1234, threadIdx.x, 0, &states[threadIdx.x]);
}

__global__ void count(curandState* states, unsigned* inside, int points) {
  curandState state = states[threadIdx.x];  // finding here
  unsigned hits = 0;
  for (int i = 0; i < points; ++i) {
    const float x = curand_uniform(&state);
    const float y = curand_uniform(&state);
    if (x * x + y * y <= 1.0f) ++hits;
  }
  atomicAdd(inside, hits);
  states[threadIdx.x] = state;
}

int main() {
  const Timing timing;
#ifdef DEFECT
  constexpr int states_allocated = threads - 1;
#else
  constexpr int states_allocated = threads;
#endif
  curandState* states;
  unsigned* inside;
  cudaMalloc(&states, states_allocated * sizeof(curandState));
  cudaMalloc(&inside, sizeof(unsigned));
  cudaMemset(inside, 0, sizeof(unsigned));
  prepare<<<1, threads>>>(states);
  count<<<1, threads>>>(states, inside, 50);
  unsigned hits = 0;
  cudaMemcpy(&hits, inside, sizeof hits, cudaMemcpyDeviceToHost);
  cudaFree(states);
  cudaFree(inside);
  const double pi = 4.0 * hits / (50.0 * threads);
  if (pi < 3.05 || pi > 3.25) return 7;
  std::puts("correct");
}
