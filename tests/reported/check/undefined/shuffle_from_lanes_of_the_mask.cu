// A shuffle reads from lanes of its mask: correct.
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 32] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "shuffle_from_lanes_of_the_mask"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [32]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  float v = x[blockIdx.x * 32 + threadIdx.x];
  v += __shfl_down_sync(0xffffffffu, v, 16);
  for (int m = 8; m > 0; m /= 2) v += __shfl_down_sync(0xffffffffu, v, m);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
