// A lane waits for a flag that another lane of its warp does not set: the report names the value
// that the flag keeps.
// exits: 1
// prints: error[deadlock]
// prints: element 1 of
// prints: stays 0
// prints not: stays 1
__global__ void k(volatile int* g) {
  if (threadIdx.x == 0) {
    g[0] = 1;
    while (!g[1]) {  // finding here
    }
  }
  if (threadIdx.x == 1) {
    while (!g[0]) {
    }
    g[2] = 1;
  }
  __syncthreads();
}
int main() {
  int* g;
  cudaMalloc(&g, 12);
  cudaMemset(g, 0, 12);
  k<<<1, 32>>>(g);
  return cudaDeviceSynchronize() != cudaSuccess;
}
