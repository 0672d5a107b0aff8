// A block of 16 threads shuffles from lanes 16 to 31, which do not exist.
// exits: 1
// prints: shuffles the value of lane 16, which does not exist in this block
// prints not: a variable that has no value
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 16] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "shuffle_from_lanes_that_do_not_exist"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [16]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  float v = x[blockIdx.x * 16 + threadIdx.x];
  for (int m = 16; m > 0; m /= 2)
    v += __shfl_down_sync(0xffffffffu, v, m);  // lanes 16 to 31 do not exist
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
