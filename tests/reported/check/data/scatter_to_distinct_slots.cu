// A scatter is correct if its positions are distinct.
// run: check FILE --device virtual --cases 300
/* warpcheck
[[operation]]
name    = "scatter"
extents = ["n", "slots"]
inputs.x   = { shape = ["n"] }
inputs.at  = { shape = ["n"], integer = true, distinct = true, range = [0, "slots - 1"] }
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
