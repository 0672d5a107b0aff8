// A ballot of the whole warp names the lanes of the loop, so that their mask misses none.
/* warpcheck
[[operation]]
name    = "count"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = [1], integer = true }
define  = "y[i] = sum(j: 1 where x[j] > 0)"
[[variant]]
name      = "balloted"
operation = "count"
kernel    = "count"
arguments = ["x", "y", "n"]
block     = [32]
grid      = [1]
*/
__global__ void count(const float* x, int* y, int n) {
  int c = 0;
#pragma unroll 1
  for (int base = 0; base < n; base += 32) {
    const int i = base + threadIdx.x;
    const unsigned inside = __ballot_sync(0xffffffff, i < n);
    if (i < n) c += __popc(__ballot_sync(inside, x[i] > 0));
  }
  if (threadIdx.x == 0) *y = c;
}
