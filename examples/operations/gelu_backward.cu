// The gradient of GELU, x Phi(x), in bf16: dy (Phi(x) + x phi(x)).
/* warpcheck
[[operation]]
name    = "gelu_backward"
extents = ["length"]
inputs  = { x = { shape = ["length"] }, dy = { shape = ["length"] } }
outputs = { dx = { shape = ["length"] } }
define  = """
  dx[i] = dy[i] * (0.5 * (1 + erf(x[i] / sqrt(2)))
                   + x[i] * exp(-0.5 * x[i] * x[i]) * rsqrt(2 * pi))
"""

[[variant]]
name      = "gelu_backward"
operation = "gelu_backward"
kernel    = "gelu_backward"
types     = { x = "bf16", dy = "bf16", dx = "bf16" }
arguments = ["x", "dy", "dx", "length"]
block     = [128]
grid      = ["ceil_div(length, 128)"]
*/
#include <cuda_bf16.h>
#include <math.h>

__global__ void gelu_backward(const __nv_bfloat16* x, const __nv_bfloat16* dy, __nv_bfloat16* dx,
                              int length) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= length) return;
  const float value = __bfloat162float(x[i]);
  const float distribution = 0.5f * (1.0f + erff(value * 0.70710678f));
  const float density = expf(-0.5f * value * value) * 0.39894228f;
  dx[i] = __float2bfloat16(__bfloat162float(dy[i]) * (distribution + value * density));
}
