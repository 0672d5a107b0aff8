// Rotary embedding of interleaved pairs, with the angles computed in the kernel: pair d of token t
// is rotated by t * 10000^(-d / half).
/* warpcheck
[[operation]]
name    = "rotary_pairs"
extents = ["tokens", "heads", "half"]
inputs.x = { shape = ["tokens", "heads", "half", 2] }
outputs.y = { shape = ["tokens", "heads", "half", 2] }
define  = """
  angle[t in tokens, d in half] = t * pow(10000, -d / half)
  y[t,h,d,p] = x[t,h,d,p] * cos(angle[t,d]) +
               select(p == 0, -1, 1) * x[t,h,d,1 - p] * sin(angle[t,d])
"""

[[variant]]
name      = "rotary_pairs"
operation = "rotary_pairs"
kernel    = "rotary_pairs"
arguments = ["x", "y", "half"]
block     = [64]
grid      = ["heads", "tokens"]
requires  = ["tokens <= 65535", "aligned(x, 8) and aligned(y, 8)"]
*/

__global__ void rotary_pairs(const float2* x, float2* y, int half) {
  const size_t head = (blockIdx.y * static_cast<size_t>(gridDim.x) + blockIdx.x) * half;
  for (int d = threadIdx.x; d < half; d += 64) {
    const float angle = blockIdx.y * powf(10000.0f, -static_cast<float>(d) / half);
    float sine = 0.0f;
    float cosine = 0.0f;
    sincosf(angle, &sine, &cosine);
    const float2 pair = x[head + d];
    y[head + d] = {pair.x * cosine - pair.y * sine, pair.y * cosine + pair.x * sine};
  }
}
