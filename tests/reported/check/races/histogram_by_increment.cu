// An increment of a bin by several threads needs an atomic.
// exits: 1
// prints: error[race]
// prints: use atomicAdd, or let one thread add the values
/* warpcheck
[[operation]]
name    = "histogram"
extents = ["n", "bins"]
inputs.x   = { shape = ["n"], integer = true, range = [0, "bins - 1"] }
inputs.old = { shape = ["bins"], integer = true }
outputs.h  = { shape = ["bins"], integer = true, updates = "old" }
define  = "h[b] = old[b] + sum(i: select(x[i] == b, 1, 0))"
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
  if (i < n) h[x[i]]++;  // finding here
}
