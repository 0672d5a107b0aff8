// A kernel without a parameter for its size has a large extent that `requires` fixes.
// run: check FILE --device virtual --cases 10
// prints: passed
/* warpcheck
[[operation]]
name      = "add"
extents   = ["n"]
inputs.a  = { shape = ["n"] }
inputs.b  = { shape = ["n"] }
outputs.c = { shape = ["n"] }
define    = "c[i] = a[i] + b[i]"
[[variant]]
name      = "add"
kernel    = "add"
operation = "add"
arguments = ["a", "b", "c"]
block     = [256]
grid      = [1024]
requires  = ["n == 262144"]
*/
__global__ void add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
