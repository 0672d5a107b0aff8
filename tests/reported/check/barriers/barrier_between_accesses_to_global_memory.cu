// A barrier comes between stores and loads of global memory: correct.
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
name      = "barrier_between_accesses_to_global_memory"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "z"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y, float* z) {
  const int b = blockIdx.x * 64, t = threadIdx.x;
  y[b + t] = x[b + t];
  __syncthreads();
  z[b + t] = y[b + 63 - t];
}
