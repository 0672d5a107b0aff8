// A binary search compares with an element of shared memory that no thread stores.
// exits: 1
// prints: the predicate of the branch is undefined
// prints: loads the undefined value from 4-byte element 63 of limit
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n"], integer = true, range = [0, 9] }
outputs.y = { shape = ["n"], integer = true }
define  = "y[i] = x[i]"
[[variant]]
name      = "undefined_condition_of_a_search"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "n"]
block     = [64]
grid      = ["ceil_div(n, 64)"]
*/
__global__ void k(const int* x, int* y, int n) {
  __shared__ int limit[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n && threadIdx.x != 63) limit[threadIdx.x] = x[i];  // element 63 has no value
  if (i >= n) return;
  int low = 0, high = 16;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (limit[threadIdx.x] <= middle)
      high = middle;
    else
      low = middle + 1;
  }
  y[i] = low;
}
