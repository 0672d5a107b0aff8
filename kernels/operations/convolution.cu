// Convolution of images with filters of 3 x 3, zeros outside of the image: one thread per element,
// tiles of the image with their border in shared memory, and in f16 the product of the filters with
// the pixels below them on tensor cores, without a copy of the image in that form (implicit gemm).
/* warpcheck
[[operation]]
name    = "convolution"
extents = ["images", "channels", "filters", "height", "width"]
inputs.x = { shape = ["images", "channels", "height", "width"] }
inputs.f = { shape = ["filters", "channels", 3, 3] }
outputs.y = { shape = ["images", "filters", "height", "width"] }
define  = "y[n,o,h,w] = sum(c, r, s: (x[n, c, h + r - 1, w + s - 1] or 0) * f[o,c,r,s])"

[defaults]
operation = "convolution"
arguments = ["x", "f", "y", "channels", "filters", "height", "width"]

[[variant]]
name   = "convolution_direct"
kernel = "convolution_direct"
grid      = ["ceil_div(width, 16)", "ceil_div(height, 16)", "images * filters"]
block     = [16, 16]
requires  = ["images * filters <= 65535", "height <= 1048560"]

[[variant]]
name   = "convolution_tiles"
kernel = "convolution_tiles"
grid      = ["ceil_div(width, 16)", "ceil_div(height, 16)", "images * filters"]
block     = [16, 16]
requires  = ["images * filters <= 65535", "height <= 1048560"]

[[variant]]
name   = "convolution_implicit_gemm"
kernel = "convolution_implicit_gemm"
tensor_cores = true
types  = { x = "f16", f = "f16", y = "f16" }
grid   = ["ceil_div(height * width, 32)", "ceil_div(filters, 16)", "images"]
block  = [64]
requires = ["images <= 65535 and filters <= 1048560 and height * width <= 2147483616"]
*/

#include "../gemm/6_tensor_cores/mma.cuh"

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

/// A block of two warps computes 16 filters at 32 pixels, each warp half of these. The rows of the
/// first matrix are the filters; the columns of the second are the channels * 9 pixels below one.
__global__ void convolution_implicit_gemm(const __half* x, const __half* f, __half* y, int channels,
                                          int filters, int height, int width) {
  using mma::F16;
  constexpr int step = 32;
  constexpr int stride =
      40;  // elements per row in shared memory: 8 rows of 16 bytes use different banks
  __shared__ alignas(16) __half weights[16 * stride];
  __shared__ alignas(16) __half pixels[32 * stride];  // one row per column of the second matrix
  const int plane = height * width;
  const int first_pixel = blockIdx.x * 32;
  const int first_filter = blockIdx.y * 16;
  const int terms = channels * 9;
  const __half* image = x + static_cast<size_t>(blockIdx.z) * channels * plane;
  const int k = threadIdx.x % step;  // that this thread copies
  const int warp_pixel = threadIdx.x / 32 * 16;

  float sums[2][4] = {};
  for (int k0 = 0; k0 < terms; k0 += step) {
    const int term = k0 + k;
    const __half* channel = image + static_cast<size_t>(term / 9) * plane;
    const int down = term % 9 / 3 - 1;
    const int right = term % 3 - 1;
    for (int i = threadIdx.x / step; i < 16; i += 2) {
      const bool exists = first_filter + i < filters && term < terms;
      weights[i * stride + k] =
          exists ? f[static_cast<size_t>(first_filter + i) * terms + term] : __half(0.0f);
    }
    for (int i = threadIdx.x / step; i < 32; i += 2) {
      const int pixel = first_pixel + i;
      const int h = pixel / width + down;
      const int w = pixel % width + right;
      const bool exists =
          pixel < plane && term < terms && h >= 0 && h < height && w >= 0 && w < width;
      pixels[i * stride + k] = exists ? channel[static_cast<size_t>(h) * width + w] : __half(0.0f);
    }
    __syncthreads();  // both are complete
    for (int d = 0; d < step; d += 16) {
      unsigned a[4];
      F16::load_a(a, weights + d, stride);
      for (int n = 0; n < 2; ++n) {
        const __half* column = pixels + (warp_pixel + n * 8 + threadIdx.x % 32 / 4) * stride + d;
        const auto* pairs = reinterpret_cast<const unsigned*>(column) + threadIdx.x % 4;
        const unsigned b[2] = {pairs[0], pairs[4]};
        F16::multiply(sums[n], a, b);
      }
    }
    __syncthreads();  // both are read
  }
  for (int n = 0; n < 2; ++n) {
    for (int i = 0; i < 4; ++i) {
      const int filter = first_filter + F16::row_of(i);
      const int pixel = first_pixel + warp_pixel + n * 8 + F16::column_of(i);
      if (filter >= filters || pixel >= plane) continue;
      y[(static_cast<size_t>(blockIdx.z) * filters + filter) * plane + pixel] =
          __float2half(sums[n][i]);
    }
  }
}
