// Bins that nobody sets before atomics add to them hold no values.
// exits: 1
// prints: error[uninitialized-read]
// prints: h has no values before the launch: store to it first
/* warpcheck
[[operation]]
name    = "histogram"
extents = ["n", "bins"]
inputs.x   = { shape = ["n"], integer = true, range = [0, "bins - 1"] }
outputs.h  = { shape = ["bins"], integer = true }
define  = "h[b] = sum(i: select(x[i] == b, 1, 0))"
[[variant]]
name      = "histogram"
kernel    = "histogram"
operation = "histogram"
arguments = ["x", "h", "n"]
block     = [128]
grid      = ["ceil_div(n, 128)"]
requires  = ["n >= 1"]
*/
__global__ void histogram(const int* x, int* h, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) atomicAdd(&h[x[i]], 1);  // finding here
}
