// Cooperative groups of the lanes that happen to run together: correct for each split of the warp.
/* warpcheck
[[operation]]
name    = "count"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = [1], integer = true }
define  = "y[i] = sum(j: 1 where x[j] > 0)"
[[variant]]
name      = "coalesced"
operation = "count"
kernel    = "count"
arguments = ["x", "y", "n"]
block     = [64]
grid      = [1]
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int add_one(int* counter) {
  const cg::coalesced_group group = cg::coalesced_threads();
  int old = 0;
  if (group.thread_rank() == 0) old = atomicAdd(counter, (int)group.size());
  return group.shfl(old, 0) + group.thread_rank();
}
__global__ void count(const float* x, int* y, int n) {
  if (threadIdx.x == 0) *y = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += 64) {
    if (x[i] > 0) add_one(y);
  }
}
