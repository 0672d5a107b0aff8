// The lanes of one warp read elements that other lanes of the same line store.
// exits: 1
// prints: error[race]
// prints: lockstep: line 25
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "one_step_of_a_reduction_without_barrier"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) s[t] += s[t + 16];
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (int j = 0; j < 32; ++j) sum += s[j];
    y[blockIdx.x] = sum;
  }
}
