// The last of the elements that `requires` fixes is not written.
// run: check FILE --device virtual --cases 10
// exits: 1
// prints: error[wrong-result]: c[262143]
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
  if (i < 262143) c[i] = a[i] + b[i];
}
