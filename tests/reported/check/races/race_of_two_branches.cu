// One thread stores a total that another one reads, without a barrier.
// exits: 1
// prints: error[race]
// prints: no barrier between line 25 and line 27
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "race_of_two_branches"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float total;
  float v = 0;
  if (threadIdx.x == 63) {
    for (int j = 0; j < 64; ++j) v += x[blockIdx.x * 64 + j];
    total = v;
  }
  if (threadIdx.x == 0) y[blockIdx.x] = total;
}
