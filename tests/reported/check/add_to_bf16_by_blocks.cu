// The weak first read of atomicAdd for bf16 is a guess that its loop checks.
// prints not: error[race]
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 2] }
outputs.y = { shape = ["n"], updates = "c" }
inputs.c  = { shape = ["n"] }
define  = "y[i] = c[i] + sum(j: x[i,j])"
[[variant]]
name      = "bf2"
operation = "op"
kernel    = "k"
types     = { x = "bf16", y = "bf16", accumulate = "bf16" }
arguments = ["x", "y"]
block     = [1]
grid      = ["n", 2]
deterministic = false
*/
#include <cuda_bf16.h>
__global__ void k(const __nv_bfloat16* x, __nv_bfloat16* y) {
  atomicAdd(&y[blockIdx.x], x[blockIdx.x * 2 + blockIdx.y]);
}
