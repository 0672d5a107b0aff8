// A wait for the writes of a bulk copy orders them before later accesses.
// build: -arch=sm_90 -lineinfo
// run: exec --strict-races --seeds 16 ./program
// prints not: error
__global__ void k(int* g) {
  __shared__ __align__(16) int s[4];
  for (int i = 0; i < 4; ++i) s[i] = i;
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(g),
               "r"((unsigned)__cvta_generic_to_shared(s))
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  g[4] = g[0];
  g[1] = 9;
}
int main() {
  int* g;
  cudaMalloc(&g, 64);
  cudaMemset(g, 0, 64);
  k<<<1, 1>>>(g);
  return cudaDeviceSynchronize() != 0;
}
