// The grid and the domain do not depend on the name of the kernel, relu.
// run: init FILE
// prints: grid      = ["ceil_div(n, 256)"]
// prints: define    = "y[i] = max(x[i], 0)"
// prints not: requires
__global__ void relu(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
