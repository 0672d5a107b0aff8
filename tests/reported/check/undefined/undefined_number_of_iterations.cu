// The number of iterations of a loop is an element that no thread stores.
// exits: 1
// prints: the predicate of the branch is undefined
// prints: note: line 26 loads the undefined value from 4-byte element 63 of s
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n"], integer = true, range = [0, 9] }
outputs.y = { shape = ["n"], integer = true }
define  = "y[i] = x[i]"
[[variant]]
name      = "undefined_number_of_iterations"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "n"]
block     = [64]
grid      = ["ceil_div(n, 64)"]
*/
__global__ void k(const int* x, int* y, int n) {
  __shared__ int s[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n && threadIdx.x != 63) s[threadIdx.x] = x[i];
  if (i >= n) return;
  int count = 0;
  for (int j = 0; j < s[threadIdx.x]; ++j) count += 1 + (y == nullptr);
  y[i] = count;
}
