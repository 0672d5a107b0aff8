// Threads read a total that another one stores, without a barrier.
// exits: 1
// prints: error[race]
// prints: no barrier between line 23 and line 24
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n", 64] }
define  = "y[i,j] = x[i,63] - x[i,j]"
[[variant]]
name      = "race_in_the_order_of_the_source"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float total;
  const float v = x[blockIdx.x * 64 + threadIdx.x];
  if (threadIdx.x == 63) total = v;
  y[blockIdx.x * 64 + threadIdx.x] = total - v;
}
