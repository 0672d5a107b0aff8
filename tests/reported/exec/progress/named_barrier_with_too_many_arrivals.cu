// Four warps come to a barrier for two: the schedule decides which ones meet, so that the read
// races.
// exits: 1
// run: exec --strict-races --seeds 16 ./program
// prints: error[race]
__global__ void k(int* g) {
  __shared__ int s[4];
  int w = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) s[w] = w;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x % 32 == 0) g[w] = s[w ^ 2];  // finding here
}
int main() {
  int* g;
  cudaMalloc(&g, 16);
  k<<<1, 128>>>(g);
  return cudaDeviceSynchronize() != cudaSuccess;
}
