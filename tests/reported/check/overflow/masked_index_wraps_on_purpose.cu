// An unsigned index of a ring buffer wraps on purpose and is masked afterwards.
// exits: 0
// prints: passed
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = [64] }
outputs.y = { shape = ["n"] }
define  = "y[i] = x[(i + 60) % 64]"
[[variant]]
name      = "masked_index_wraps_on_purpose"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "n"]
block     = [64]
grid      = ["ceil_div(n, 64)"]
*/
__global__ void k(const float* x, float* y, unsigned n) {
  unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  unsigned head = i - 4u;  // wraps for the first four
  y[i] = x[head & 63u];
}
