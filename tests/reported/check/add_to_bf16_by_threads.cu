// The weak first read of atomicAdd for bf16 is a guess that its loop checks.
// prints not: error[race]
/* warpcheck
[[operation]]
name    = "total"
extents = ["n"]
inputs.x  = { shape = ["n"] }
inputs.c  = { shape = [1] }
outputs.y = { shape = [1], updates = "c" }
define  = "y[i] = c[i] + sum(j: x[j])"
[[variant]]
name      = "total"
operation = "total"
kernel    = "add_all"
types     = { x = "bf16", y = "bf16", accumulate = "bf16" }
arguments = ["x", "y", "n"]
block     = [64]
grid      = [1]
requires  = ["n <= 64"]
deterministic = false
*/
#include <cuda_bf16.h>
__global__ void add_all(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  if (threadIdx.x < n) atomicAdd(y, x[threadIdx.x]);
}
