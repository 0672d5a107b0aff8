// Threads of a block read from global memory what others store, without a barrier.
// exits: 1
// prints: help: a barrier is missing between line 25 and line 26: __syncthreads()
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n", 64] }
outputs.z = { shape = ["n", 64] }
define  = """
  y[i,j] = x[i,j]
  z[i,j] = x[i,63 - j]
"""
[[variant]]
name      = "race_in_global_memory_of_a_block"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "z"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y, float* z) {
  const int b = blockIdx.x * 64, t = threadIdx.x;
  y[b + t] = x[b + t];
  z[b + t] = y[b + 63 - t];
}
