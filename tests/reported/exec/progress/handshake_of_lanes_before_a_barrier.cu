// Two lanes of a warp hand a flag over by volatile accesses while the others wait at the barrier.
// exits: 0
// run: exec --strict-races --seeds 16 ./program
// prints not: error
__global__ void k(volatile int* g) {
  if (threadIdx.x == 0) {
    g[0] = 1;
    while (!g[1]) {
    }
  }
  if (threadIdx.x == 1) {
    while (!g[0]) {
    }
    g[1] = 1;
  }
  __syncthreads();
}
int main() {
  int* g;
  cudaMalloc(&g, 8);
  cudaMemset(g, 0, 8);
  k<<<1, 32>>>(g);
  return cudaDeviceSynchronize() != cudaSuccess;
}
