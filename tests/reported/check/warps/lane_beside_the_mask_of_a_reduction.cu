// A lane that the mask of a reduction does not name executes it.
// exits: 1
// prints: error[barrier-divergence]: lane 16 takes part with mask 0x0000ffff, which does not name it
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define  = "y[i] = x[i]"
[[variant]]
name      = "lane_beside_the_mask_of_a_reduction"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "n"]
block     = [32]
grid      = ["ceil_div(n, 32)"]
*/
__global__ void k(const float* x, float* y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= n) return;
  const unsigned same = __reduce_add_sync(0x0000ffffu, 7u);  // finding here
  y[i] = x[i] + (same > 1000 ? 1 : 0);
}
