// The largest element of each window of 2 x 2 pixels, and its position in the window.
/* warpcheck
[[operation]]
name    = "max_pooling"
extents = ["planes", "height", "width"]
inputs.x = { shape = ["planes", "height", 2, "width", 2] }
outputs.y  = { shape = ["planes", "height", "width"] }
outputs.at = { shape = ["planes", "height", "width"], integer = true }
define  = """
  y[p,h,w]  = max(r, s: x[p,h,r,w,s])
  at[p,h,w] = argmax(i in 4: x[p,h,i // 2,w,i % 2])
"""

[[variant]]
name      = "max_pooling"
operation = "max_pooling"
kernel    = "max_pooling"
arguments = ["x", "y", "at", "height", "width"]
block     = [32, 4]
grid      = ["ceil_div(width, 32)", "ceil_div(height, 4)", "planes"]
requires  = ["planes <= 65535 and height <= 262140"]
*/

__global__ void max_pooling(const float* x, float* y, int* at, int height, int width) {
  const int w = blockIdx.x * 32 + threadIdx.x;
  const int h = blockIdx.y * 4 + threadIdx.y;
  if (w >= width || h >= height) return;
  const size_t out = (blockIdx.z * static_cast<size_t>(height) + h) * width + w;
  const float* window = x + (blockIdx.z * static_cast<size_t>(height) + h) * 4 * width + 2 * w;
  int best = 0;
  float most = window[0];
  for (int i = 1; i < 4; ++i) {
    const float value = window[static_cast<size_t>(i / 2) * 2 * width + i % 2];
    if (value > most) {
      most = value;
      best = i;
    }
  }
  y[out] = most;
  at[out] = best;
}
