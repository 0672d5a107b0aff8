// Each group of lanes that happen to run together adds once to the counter: correct for each split
// of the warp.
/* warpcheck
[[operation]]
name    = "count"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = [1], integer = true }
define  = "y[i] = sum(j: 1 where x[j] > 0)"
[[variant]]
name      = "aggregated"
operation = "count"
kernel    = "count"
arguments = ["x", "y", "n"]
block     = [64]
grid      = [1]
*/
__device__ int add_one(int* counter) {
  const unsigned mask = __activemask();
  const int lane = threadIdx.x % 32;
  const int leader = __ffs(mask) - 1;
  int old = 0;
  if (lane == leader) old = atomicAdd(counter, __popc(mask));
  return __shfl_sync(mask, old, leader) + __popc(mask & ((1u << lane) - 1));
}
__global__ void count(const float* x, int* y, int n) {
  if (threadIdx.x == 0) *y = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += 64) {
    if (x[i] > 0) add_one(y);
  }
}
