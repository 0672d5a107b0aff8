// A barrier comes between the store of a total and its loads: correct.
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n", 64] }
define  = "y[i,j] = x[i,63] - x[i,j]"
[[variant]]
name      = "barrier_before_a_total_is_read"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float total;
  const float v = x[blockIdx.x * 64 + threadIdx.x];
  if (threadIdx.x == 63) total = v;
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = total - v;
}
