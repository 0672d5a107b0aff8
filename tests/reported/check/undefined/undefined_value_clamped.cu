// A value that no thread stores is clamped and stored.
// exits: 1
// prints: note: line 24 loads the undefined value from 4-byte element 63 of s
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n"], integer = true, range = [0, 9] }
outputs.y = { shape = ["n"], integer = true }
define  = "y[i] = x[i]"
[[variant]]
name      = "undefined_value_clamped"
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
  int v = s[threadIdx.x];
  if (v > 100) v = 5;
  y[i] = v;
}
