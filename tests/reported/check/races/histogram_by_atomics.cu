// Bins that hold values before the launch are stated as an output that updates an input.
// prints: passed
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
  if (i < n) atomicAdd(&h[x[i]], 1);
}
