// The last block sums what all blocks have written, but no barrier comes before the ticket.
// exits: 1
// prints: error[race]
// prints: help: __syncthreads() is missing between line 25 and line 28:
// prints not: with a second launch
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = [1] }
define  = "y[i] = sum(j: x[j])"
[[variant]]
name      = "last_block_without_barrier"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "workspace.parts", "workspace.done", "n"]
block     = [64]
grid      = [2]
requires  = ["n <= 128"]
workspace = { parts = { bytes = 512 }, done = { bytes = 4, zeroed = true } }
*/
__global__ void k(const float* x, float* y, float* parts, unsigned* done, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  parts[i] = i < n ? x[i] : 0.0f;
  __threadfence();
  // missing: __syncthreads();
  if (threadIdx.x != 0 || atomicAdd(done, 1) != gridDim.x - 1) return;
  __threadfence();
  float sum = 0;
  for (int j = 0; j < 128; ++j) sum += parts[j];
  *y = sum;
}
