// A read, a maximum and a store are no atomic update.
// exits: 1
// prints: error[race]
/* warpcheck
[[operation]]
name    = "peak"
extents = ["n"]
inputs.x  = { shape = ["n"], finite = true }
inputs.c  = { shape = [1], finite = true }
outputs.y = { shape = [1], updates = "c" }
define  = "y[i] = max(c[i], max(j: x[j]))"
[[variant]]
name      = "peak"
operation = "peak"
kernel    = "peak"
arguments = ["x", "y", "n"]
block     = [64]
grid      = [1]
requires  = ["n <= 64", "n >= 1"]
*/
__global__ void peak(const float* x, float* y, int n) {
  if (threadIdx.x < n) *y = fmaxf(*y, x[threadIdx.x]);
}
