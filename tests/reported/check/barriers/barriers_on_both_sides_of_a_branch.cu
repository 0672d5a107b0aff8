// Both sides of a branch have a barrier, and warps take different sides.
// prints: note: barriers_on_both_sides_of_a_branch: barrier-divergence at barriers_on_both_sides_of_a_branch.cu:
// prints: CUDA C++ allows __syncthreads() in conditional code only if
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n", 64] }
define  = "y[i,j] = x[i,64 - 1 - j]"
[[variant]]
name      = "barriers_on_both_sides_of_a_branch"
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
    __syncthreads();
  } else {
    s[t] = x[blockIdx.x * 64 + t] + 0.0f;
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = s[63 - t];
}
