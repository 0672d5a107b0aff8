// A whole number that is another factor than the definition's is found.
// exits: 1
// prints: wrong-result
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
arguments = ["x", "y", 3, "n"]
block = [64]
grid = ["ceil_div(n, 64)"]
*/
__global__ void scale(const float* x, float* y, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = f * x[i];
}
