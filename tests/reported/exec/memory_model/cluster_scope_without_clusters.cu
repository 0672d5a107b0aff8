// Without clusters in the launch, each block is a cluster of its own.
// build: -arch=sm_90 -lineinfo
// run: exec --strict-races --seeds 16 ./program
// exits: 1
// prints: error[race]
__global__ void k(int* g) {
  int r;
  if (blockIdx.x == 0) {
    g[0] = 7;
    asm volatile("st.release.cluster.global.u32 [%0], 1;" ::"l"(g + 1) : "memory");
  }
  if (blockIdx.x == 1) {
    do asm volatile("ld.acquire.cluster.global.u32 %0, [%1];" : "=r"(r) : "l"(g + 1) : "memory");
    while (!r);
    g[2] = g[0];
  }
}
int main() {
  int* g;
  cudaMalloc(&g, 64);
  cudaMemset(g, 0, 64);
  k<<<2, 1>>>(g);
  return cudaDeviceSynchronize() != 0;
}
