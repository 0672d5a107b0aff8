// A barrier that only one warp reaches completes with that behind the next stores.
// exits: 1
// prints: error[race]
// prints: no barrier that both threads reach orders
// prints: help: only some threads of the block reach the __syncthreads() at line 29: move it out
// prints not: a barrier is missing
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[i,j])"
[[variant]]
name      = "stores_behind_a_barrier_of_one_warp"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float s[64];
  __shared__ float t[32];
  s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    t[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 32];
    __syncthreads();  // only warp 0 comes here
  }
  s[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    float v = s[63];
    for (int j = 0; j < 32; ++j) v += t[j];
    y[blockIdx.x] = v;
  }
  __syncthreads();
}
