// Atomic additions add the terms of c + sum(x) to c first, in any order.
// run: check FILE --device virtual --cases 200
// prints not: error[wrong-result]
/* warpcheck
[[operation]]
name    = "row_sums"
extents = ["n"]
inputs.x  = { shape = ["n", 2] }
outputs.y = { shape = ["n"], updates = "c" }
inputs.c  = { shape = ["n"] }
define  = "y[i] = c[i] + sum(j: x[i,j])"
[[variant]]
name      = "row_sums"
operation = "row_sums"
kernel    = "add_rows"
types     = { x = "bf16", y = "bf16", accumulate = "bf16" }
arguments = ["x", "y"]
block     = [1]
grid      = ["n", 2]
deterministic = false
*/
#include <cuda_bf16.h>
__global__ void add_rows(const __nv_bfloat16* x, __nv_bfloat16* y) {
  atomicAdd(&y[blockIdx.x], x[blockIdx.x * 2 + blockIdx.y]);
}
