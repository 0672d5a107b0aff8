// A block of 16 threads shuffles among its lanes: correct.
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 16] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "shuffle_within_16_lanes"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [16]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  float v = x[blockIdx.x * 16 + threadIdx.x];
  for (int m = 8; m > 0; m /= 2) v += __shfl_down_sync(0xffffu, v, m);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
