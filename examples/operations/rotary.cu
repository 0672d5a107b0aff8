// Rotary embedding: element d of the first half of each head and element d of the second half are
// rotated by the angle of the token, whose cosine and sine are inputs.
/* warpcheck
[[operation]]
name    = "rotary"
extents = ["tokens", "heads", "half"]
inputs.x      = { shape = ["tokens", "heads", 2, "half"] }
inputs.cosine = { shape = ["tokens", "half"], range = [-1, 1] }
inputs.sine   = { shape = ["tokens", "half"], range = [-1, 1] }
outputs.y = { shape = ["tokens", "heads", 2, "half"] }
define  = """
  y[t,h,p,d] = x[t,h,p,d] * cosine[t,d] + select(p == 0, -1, 1) * x[t,h,1 - p,d] * sine[t,d]
"""

[[variant]]
name      = "rotary"
operation = "rotary"
kernel    = "rotary"
arguments = ["x", "cosine", "sine", "y", "half"]
block     = [64]
grid      = ["heads", "tokens"]
requires  = ["tokens <= 65535"]
*/

__global__ void rotary(const float* x, const float* cosine, const float* sine, float* y, int half) {
  const size_t head = (blockIdx.y * static_cast<size_t>(gridDim.x) + blockIdx.x) * 2 * half;
  for (int d = threadIdx.x; d < half; d += 64) {
    const float c = cosine[static_cast<size_t>(blockIdx.y) * half + d];
    const float s = sine[static_cast<size_t>(blockIdx.y) * half + d];
    const float first = x[head + d];
    const float second = x[head + half + d];
    y[head + d] = first * c - second * s;
    y[head + half + d] = second * c + first * s;
  }
}
