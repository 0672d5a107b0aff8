// An unsigned index wraps on purpose and is masked afterwards, with a wrong mask: the overflow is not
// the cause of the read behind the buffer.
// exits: 1
// prints: error[out-of-bounds]
// prints not: overflows
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = [64] }
outputs.y = { shape = ["n"] }
define  = "y[i] = x[(i + 60) % 64]"
[[variant]]
name      = "masked_index_wraps_and_the_mask_is_wrong"
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
  y[i] = x[head & 127u];   // finding here
}
