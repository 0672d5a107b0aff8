// A limit that hides a defect is reported with the defect.
// run: init FILE
// prints: requires  = ["n % 256 == 0"]  # guessed
// prints: without `requires`: out-of-bounds in line 8: 4-byte load
// prints: if this limit is not meant, correct the kernel
__global__ void r(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = fmaxf(x[i], 0.f);
}
