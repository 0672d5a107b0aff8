// Each pair of warps has a barrier of its own, and a producer arrives at another one: each barrier
// counts as many threads as come to it.
// exits: 0
// run: exec --strict-races --seeds 16 ./program
// prints not: error
__global__ void k(int* g) {
  __shared__ int s[4];
  int w = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) s[w] = w;
  asm volatile("bar.sync %0, 64;" ::"r"(1 + w % 2) : "memory");
  if (threadIdx.x % 32 == 0) g[w] = s[w ^ 2];
  if (w == 0) {
    if (threadIdx.x == 0) s[2] = 7;
    asm volatile("bar.arrive 3, 64;" ::: "memory");
  } else if (w == 2) {
    asm volatile("bar.sync 3, 64;" ::: "memory");
    if (threadIdx.x % 32 == 0) g[w] = s[2];
  }
}
int main() {
  int* g;
  cudaMalloc(&g, 16);
  k<<<1, 128>>>(g);
  return cudaDeviceSynchronize() != cudaSuccess;
}
