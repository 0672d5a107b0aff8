// The grid and the domain do not depend on the name of the kernel, q17.
// run: init FILE
// prints: grid      = ["ceil_div(n, 256)"]
// prints: define    = "y[i] = max(x[i], 0)"
// prints not: requires
__global__ void q17(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
