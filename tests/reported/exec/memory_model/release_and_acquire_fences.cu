// A release fence and an acquire fence order a message.
// build: -arch=sm_90 -lineinfo
// run: exec --strict-races --seeds 16 ./program
// prints not: error
__global__ void k(int* g) {
  int r;
  if (blockIdx.x == 0) {
    g[0] = 7;
    asm volatile("fence.release.gpu; st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(g + 1) : "memory");
  } else {
    do asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(r) : "l"(g + 1) : "memory");
    while (!r);
    asm volatile("fence.acquire.gpu;" ::: "memory");
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
