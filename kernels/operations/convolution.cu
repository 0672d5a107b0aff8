// Convolution of images with filters of 3 x 3, zeros outside of the image: one thread per element,
// and tiles of the image with their border in shared memory.
/* warpcheck
[[operation]]
name    = "convolution"
extents = ["images", "channels", "filters", "height", "width", "three"]
inputs.x = { shape = ["images", "channels", "height", "width"] }
inputs.f = { shape = ["filters", "channels", "three", "three"] }
outputs.y = { shape = ["images", "filters", "height", "width"] }
define  = "y[n,o,h,w] = sum(c, r, s: (x[n, c, h + r - 1, w + s - 1] or 0) * f[o,c,r,s])"

[defaults]
operation = "convolution"
arguments = ["x", "f", "y", "channels", "filters", "height", "width"]
fix       = { three = 3 }
grid      = ["ceil_div(width, 16)", "ceil_div(height, 16)", "images * filters"]
block     = [16, 16]
requires  = ["images * filters <= 65535", "height <= 1048560"]

[[variant]]
name   = "convolution_direct"
kernel = "convolution_direct"

[[variant]]
name   = "convolution_tiles"
kernel = "convolution_tiles"
*/

__device__ float pixel(const float* image, int height, int width, int h, int w) {
  return h >= 0 && h < height && w >= 0 && w < width ? image[static_cast<size_t>(h) * width + w]
                                                     : 0.0f;
}

__global__ void convolution_direct(const float* x, const float* f, float* y, int channels,
                                   int filters, int height, int width) {
  const int w = blockIdx.x * 16 + threadIdx.x;
  const int h = blockIdx.y * 16 + threadIdx.y;
  const int image = blockIdx.z / filters;
  const int filter = blockIdx.z % filters;
  if (h >= height || w >= width) return;
  const size_t plane = static_cast<size_t>(height) * width;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c) {
    const float* from = x + (static_cast<size_t>(image) * channels + c) * plane;
    const float* weights = f + (static_cast<size_t>(filter) * channels + c) * 9;
    for (int i = 0; i < 9; ++i) {
      sum += pixel(from, height, width, h + i / 3 - 1, w + i % 3 - 1) * weights[i];
    }
  }
  y[blockIdx.z * plane + static_cast<size_t>(h) * width + w] = sum;
}

__global__ void convolution_tiles(const float* x, const float* f, float* y, int channels,
                                  int filters, int height, int width) {
  __shared__ float tile[18][18];
  const int left = blockIdx.x * 16;
  const int top = blockIdx.y * 16;
  const int image = blockIdx.z / filters;
  const int filter = blockIdx.z % filters;
  const size_t plane = static_cast<size_t>(height) * width;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c) {
    const float* from = x + (static_cast<size_t>(image) * channels + c) * plane;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
      tile[i / 18][i % 18] = pixel(from, height, width, top + i / 18 - 1, left + i % 18 - 1);
    }
    __syncthreads();
    const float* weights = f + (static_cast<size_t>(filter) * channels + c) * 9;
    for (int i = 0; i < 9; ++i) sum += tile[threadIdx.y + i / 3][threadIdx.x + i % 3] * weights[i];
    __syncthreads();
  }
  const int w = left + threadIdx.x;
  const int h = top + threadIdx.y;
  if (h < height && w < width) y[blockIdx.z * plane + static_cast<size_t>(h) * width + w] = sum;
}
