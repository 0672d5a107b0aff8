// One step of AdamW, in place: the weights, and the running means of gradients and their squares.
/* warpcheck
[[operation]]
name    = "adamw"
extents = ["count"]
inputs.weight   = { shape = ["count"] }
inputs.gradient = { shape = ["count"] }
inputs.mean     = { shape = ["count"] }
inputs.square   = { shape = ["count"], range = [0, 4] }
outputs.w = { shape = ["count"], updates = "weight" }
outputs.m = { shape = ["count"], updates = "mean" }
outputs.v = { shape = ["count"], updates = "square" }
scalars = ["rate", "decay"]
define  = """
  m[i] = 0.9 * mean[i] + 0.1 * gradient[i]
  v[i] = 0.999 * square[i] + 0.001 * gradient[i] * gradient[i]
  w[i] = weight[i] - rate * (m[i] / (sqrt(v[i]) + 1e-8) + decay * weight[i])
"""

[[variant]]
name      = "adamw"
operation = "adamw"
kernel    = "adamw"
arguments = ["w", "gradient", "m", "v", "rate", "decay", "count"]
block     = [128]
grid      = ["ceil_div(count, 128)"]
*/
__global__ void adamw(float* w, const float* gradient, float* m, float* v, float rate, float decay,
                      int count) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= count) return;
  const float g = gradient[i];
  m[i] = 0.9f * m[i] + 0.1f * g;
  v[i] = 0.999f * v[i] + 0.001f * g * g;
  w[i] -= rate * (m[i] / (sqrtf(v[i]) + 1e-8f) + decay * w[i]);
}
