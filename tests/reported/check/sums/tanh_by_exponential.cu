// tanh(x) is 1 - 2 / (exp(2 x) + 1), which is as exact as the numbers below 1, not as tanh(x).
// run: check FILE --device virtual --cases 400
/* warpcheck
[[operation]]
name    = "gelu"
extents = ["length"]
inputs.x  = { shape = ["length"] }
outputs.y = { shape = ["length"] }
define  = "y[i] = 0.5 * x[i] * (1 + tanh(0.7978845608 * (x[i] + 0.044715 * x[i] * x[i] * x[i])))"
[[operation]]
name    = "tanh"
extents = ["length"]
inputs.x  = { shape = ["length"] }
outputs.y = { shape = ["length"] }
define  = "y[i] = tanh(x[i])"
[[variant]]
name      = "gelu_by_exponential"
operation = "gelu"
kernel    = "gelu"
arguments = ["x", "y", "length"]
block     = [64]
grid      = ["ceil_div(length, 64)"]
[[variant]]
name      = "tanh_by_exponential"
operation = "tanh"
kernel    = "hyperbolic_tangent"
arguments = ["x", "y", "length"]
block     = [64]
grid      = ["ceil_div(length, 64)"]
*/
__device__ float by_exponential(float x) { return 1.0f - 2.0f / (expf(2.0f * x) + 1.0f); }

__global__ void gelu(const float* x, float* y, int length) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= length) return;
  const float argument = 0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i]);
  y[i] = 0.5f * x[i] * (1.0f + by_exponential(argument));
}

__global__ void hyperbolic_tangent(const float* x, float* y, int length) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < length) y[i] = by_exponential(x[i]);
}
