// A release and an acquire of cluster scope order the blocks of a cluster.
// build: -arch=sm_90 -lineinfo
// run: exec --strict-races --seeds 16 ./program
// prints not: error
__global__ void __cluster_dims__(2) k(int* g) {
  int r;
  if (threadIdx.x) return;
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
  k<<<4, 32>>>(g);
  return cudaDeviceSynchronize() != 0;
}
