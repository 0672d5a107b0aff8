// Images of twice the size, interpolated between the nearest pixels.
/* warpcheck
[[operation]]
name    = "upsampling"
extents = ["planes", "height", "width"]
inputs.x  = { shape = ["planes", "height", "width"] }
outputs.y = { shape = ["planes", "2 * height", "2 * width"] }
define  = """
  row[p, h, w in 2 * width] = 0.75 * x[p, h, w // 2]
                              + 0.25 * x[p, h, min(max(w // 2 + w % 2 * 2 - 1, 0), width - 1)]
  y[p, h, w] = 0.75 * row[p, h // 2, w]
               + 0.25 * row[p, min(max(h // 2 + h % 2 * 2 - 1, 0), height - 1), w]
"""

[[variant]]
name      = "upsampling"
operation = "upsampling"
kernel    = "upsampling"
arguments = ["x", "y", "height", "width"]
block     = [16, 8]
grid      = ["ceil_div(2 * width, 16)", "ceil_div(2 * height, 8)", "planes"]
requires  = ["planes <= 65535", "height <= 262140"]
*/
__device__ int neighbour(int index, int size) {
  return min(max(index / 2 + index % 2 * 2 - 1, 0), size - 1);
}

__global__ void upsampling(const float* x, float* y, int height, int width) {
  const int w = blockIdx.x * 16 + threadIdx.x;
  const int h = blockIdx.y * 8 + threadIdx.y;
  if (w >= 2 * width || h >= 2 * height) return;
  x += static_cast<size_t>(blockIdx.z) * height * width;
  y += static_cast<size_t>(blockIdx.z) * height * width * 4;
  const float* near = x + static_cast<size_t>(h / 2) * width;
  const float* far = x + static_cast<size_t>(neighbour(h, height)) * width;
  const float one = 0.75f * near[w / 2] + 0.25f * near[neighbour(w, width)];
  const float other = 0.75f * far[w / 2] + 0.25f * far[neighbour(w, width)];
  y[static_cast<size_t>(h) * 2 * width + w] = 0.75f * one + 0.25f * other;
}
