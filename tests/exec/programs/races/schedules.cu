// Warp 0 of each block hands a value over in two steps, and the other warps use it. With DEFECT,
// they do so already after the first step, which only some schedules let them see.
#include <cstdio>

__global__ void hand_over(int* values, int* states, int* sums) {
  int* const value = values + blockIdx.x;
  int* const state = states + blockIdx.x;
  if (threadIdx.x % 32 != 0) return;
  if (threadIdx.x == 0) {
    atomicExch(state, 1);
    *value = 5;  // finding here
    __threadfence();
    atomicExch(state, 2);
    return;
  }
  const int seen = atomicAdd(state, 0);
  __threadfence();
#ifdef DEFECT
  const bool ready = seen != 0;
#else
  const bool ready = seen == 2;
#endif
  if (ready) atomicAdd(sums + blockIdx.x, *value);
}

int main() {
  constexpr int blocks = 4;
  int* memory;
  cudaMalloc(&memory, 3 * blocks * sizeof(int));
  cudaMemset(memory, 0, 3 * blocks * sizeof(int));
  hand_over<<<blocks, 256>>>(memory, memory + blocks, memory + 2 * blocks);
  int sums[blocks];
  cudaMemcpy(sums, memory + 2 * blocks, sizeof sums, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  for (const int sum : sums) {
    if (sum % 5 != 0) return 7;
  }
  std::puts("correct");
}
