// A multiplicative hash wraps on purpose and is masked afterwards, with a wrong mask: the overflow is
// not the cause of the read behind the table.
// exits: 1
// prints: error[out-of-bounds]
// prints not: overflows
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = [64] }
outputs.y = { shape = ["n"] }
define  = "y[i] = x[i % 64]"
[[variant]]
name      = "hash_wraps_and_the_mask_is_wrong"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "n"]
block     = [64]
grid      = ["ceil_div(n, 64)"]
*/
__global__ void k(const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  const unsigned hash = (i * 2654435761u) >> 24;
  y[i] = x[hash & 127u];  // finding here
}
