// A flag that is stored and loaded with one size orders a message.
// build: -arch=sm_90 -lineinfo
// run: exec --strict-races --seeds 16 ./program
// prints not: error
__global__ void k(int* g) {
  long long r;
  if (blockIdx.x == 0) {
    g[0] = 7;
    asm volatile("st.release.gpu.global.u64 [%0], 1;" ::"l"(g + 2) : "memory");
  } else {
    do asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(r) : "l"(g + 2) : "memory");
    while (!r);
    g[1] = g[0];
  }
}
int main() {
  int* g;
  cudaMalloc(&g, 64);
  cudaMemset(g, 0, 64);
  k<<<2, 1>>>(g);
  return cudaDeviceSynchronize() != 0;
}
