// A barrier in a condition that only one warp meets completes with the barrier behind it.
// exits: 1
// prints: error[race]
// prints: no barrier that both threads reach orders
// prints: help: all threads of the block must reach the same __syncthreads(): move those at line
// prints not: a barrier is missing
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = [256] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[j]) + 0 * i"
[[variant]]
name      = "race_behind_a_barrier_of_one_warp"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float s[64];
  float sum = 0;
  for (int p = 0; p < 256; p += 64) {
    s[threadIdx.x] = x[p + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
      for (int j = 0; j < 64; ++j) sum += s[j];
      __syncthreads();  // only warp 0 comes here
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
