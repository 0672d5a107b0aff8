// Both sides of a branch have a barrier: a finding with --strict-barriers.
// run: check FILE --device virtual --strict-barriers
// exits: 1
// prints: error[barrier-divergence]
// prints: help: all threads of the block must reach the same __syncthreads()
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n", 64] }
define  = "y[i,j] = x[i,64 - 1 - j]"
[[variant]]
name      = "barriers_on_both_sides_are_strict"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < 32) {
    s[t] = x[blockIdx.x * 64 + t];
    __syncthreads();  // finding here
  } else {
    s[t] = x[blockIdx.x * 64 + t] + 0.0f;
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = s[63 - t];
}
