// The mask of a match names lanes that wait at a barrier instead.
// exits: 1
// prints: error[barrier-divergence]: 16 threads wait at line
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define  = "y[i] = x[i]"
[[variant]]
name      = "lanes_of_a_match_wait_elsewhere"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "n"]
block     = [32]
grid      = ["ceil_div(n, 32)"]
*/
__global__ void k(const float* x, float* y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  unsigned same = 0;
  if (threadIdx.x < 16) same = __match_any_sync(0xffffffffu, 7u);  // finding here
  __syncthreads();
  if (i < n) y[i] = x[i] + (__popc(same) > 1000 ? 1 : 0);
}
