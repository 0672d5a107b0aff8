// A limit that hides a defect is reported with the defect, also where no definition passes.
// run: init FILE
// exits: 1
// prints: bad: write what it computes as `define`
// prints: without `requires`: out-of-bounds in line 11: 4-byte load
// prints: if this limit is not meant, correct the kernel
// prints not: passes
__global__ void bad(const float* x, float* y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  // One thread too many.
  if (i <= n) y[i] = x[i] + 3.5f;
}
