// All threads of the block reach each barrier: correct.
// run: check FILE --device virtual --strict-barriers
// prints not: barrier-divergence
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = [256] }
outputs.y = { shape = ["n"] }
define  = "y[i] = sum(j: x[j]) + 0 * i"
[[variant]]
name      = "barrier_behind_a_condition"
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
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
