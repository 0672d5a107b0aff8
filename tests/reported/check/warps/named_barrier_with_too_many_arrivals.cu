// Four warps come to a barrier for two: the schedule decides which ones meet, so that the read
// races.
// exits: 1
// prints: error[race]
/* warpcheck
[[operation]]
name    = "exchange"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = [4] }
define  = "y[i] = x[0]"
[[variant]]
name      = "paired"
operation = "exchange"
kernel    = "k"
arguments = ["x", "y"]
block     = [128]
grid      = [1]
*/
__global__ void k(const float* x, float* y) {
  __shared__ float s[4];
  const int w = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) s[w] = x[0];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x % 32 == 0) y[w] = s[w ^ 2];  // finding here
}
