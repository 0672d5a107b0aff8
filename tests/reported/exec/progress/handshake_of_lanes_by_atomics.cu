// Two lanes of a warp hand a flag in shared memory over by atomics while the others wait at the
// barrier.
// exits: 0
// run: exec --strict-races --seeds 16 ./program
// prints not: error
__global__ void k() {
  __shared__ int s[2];
  if (threadIdx.x < 2) s[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicExch(s, 1);
    while (!atomicAdd(s + 1, 0)) {
    }
  }
  if (threadIdx.x == 1) {
    while (!atomicAdd(s, 0)) {
    }
    atomicExch(s + 1, 1);
  }
  __syncthreads();
}
int main() {
  k<<<1, 32>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
