// A difference that is an unsigned parameter restricts the domain to cases where it is not
// negative.
// prints: 1 variant, 100 cases
/* warpcheck
[[operation]]
name = "double"
extents = ["n"]
inputs.x = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define = "y[i] = 2 * x[i]"
[[variant]]
name = "double"
kernel = "scale"
operation = "double"
arguments = ["x", "y", "n - 3"]
block = [64]
grid = ["ceil_div(n, 64)"]
*/
__global__ void scale(const float* x, float* y, unsigned further) {
  const unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 3ull + further) y[i] = 2 * x[i];
}
