// x rsqrt(x) of finite inputs is right.
// run: check FILE --device virtual --cases 200
/* warpcheck
[[operation]]
name    = "roots"
extents = ["length"]
inputs.x  = { shape = ["length"], finite = true }
outputs.y = { shape = ["length"] }
define  = "y[i] = sqrt(abs(x[i]))"
[[variant]]
name      = "roots"
operation = "roots"
kernel    = "roots"
arguments = ["x", "y", "length"]
block     = [64]
grid      = ["ceil_div(length, 64)"]
*/
__global__ void roots(const float* x, float* y, int length) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= length) return;
  const float magnitude = fabsf(x[i]);
  y[i] = magnitude == 0.0f ? 0.0f : magnitude * rsqrtf(magnitude);
}
