// A shuffle reads from lanes that are not in its mask.
// exits: 1
// prints: shuffles the value of lane 16, which is not in the mask of the shuffle
// prints not: a variable that has no value
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 32] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "shuffle_from_lanes_beside_the_mask"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [32]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  float v = x[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x < 16)
    v += __shfl_down_sync(0x0000ffffu, v, 16);  // lanes 16 to 31 are not in the mask
  for (int m = 8; m > 0; m /= 2) v += __shfl_down_sync(0xffffffffu, v, m);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
