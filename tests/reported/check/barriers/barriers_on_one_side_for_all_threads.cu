// A condition that is the same for all threads of the block chooses the barrier: correct.
// run: check FILE --device virtual --strict-barriers
// prints not: barrier-divergence
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n", 64] }
define  = "y[i,j] = x[i,64 - 1 - j]"
[[variant]]
name      = "barriers_on_one_side_for_all_threads"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (blockIdx.x % 2 == 0) {
    s[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
  } else {
    s[t] = x[blockIdx.x * 64 + t] + 0.0f;
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = s[63 - t];
}
