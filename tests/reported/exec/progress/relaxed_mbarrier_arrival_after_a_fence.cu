// A fence and a relaxed arrival at an mbarrier object: correct.
// build: -arch=sm_90
// exits: 0
// run: exec --strict-races --seeds 16 ./program
// prints not: error
__global__ void k() {
  __shared__ unsigned long long b;
  unsigned a = (unsigned)__cvta_generic_to_shared(&b);
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(a));
  asm volatile("fence.acq_rel.cta;");
  asm volatile("{ .reg .b64 t; mbarrier.arrive.relaxed.cta.shared.b64 t, [%0]; }" ::"r"(a));
}
int main() {
  k<<<1, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
