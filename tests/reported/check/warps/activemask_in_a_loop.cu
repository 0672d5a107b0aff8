// Lanes that stay in a loop need not run together, so that the mask of active lanes may miss some.
// exits: 1
// prints: count1
/* warpcheck
[[operation]]
name    = "count"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = [1], integer = true }
define  = "y[i] = sum(j: 1 where x[j] > 0)"
[[variant]]
name = "count1"
operation = "count"
kernel    = "count"
arguments = ["x", "y", "n"]
block     = [32]
grid      = [1]
*/
__global__ void count(const float* x, int* y, int n) {
  int c = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += 32) c += __popc(__ballot_sync(__activemask(), x[i] > 0));
  if (threadIdx.x == 0) *y = c;
}
