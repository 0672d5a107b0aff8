// A scatter writes one slot twice if the positions may be equal: the contract lacks a promise.
// exits: 1
// prints: the kernel is correct with distinct = true for the input `at`, in all
/* warpcheck
[[operation]]
name    = "scatter"
extents = ["n", "slots"]
inputs.x   = { shape = ["n"] }
inputs.at  = { shape = ["n"], integer = true, range = [0, "slots - 1"] }
inputs.old = { shape = ["slots"] }
outputs.y  = { shape = ["slots"], updates = "old" }
define  = "y[s] = select(any(i: at[i] == s), sum(i: x[i] where at[i] == s), old[s])"
[[variant]]
name      = "scatter"
operation = "scatter"
kernel    = "k"
arguments = ["x", "at", "y", "n"]
block     = [64]
grid      = ["ceil_div(n, 64)"]
requires  = ["n >= 1", "slots >= n"]
*/
__global__ void k(const float* x, const int* at, float* y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) y[at[i]] = x[i];
}
