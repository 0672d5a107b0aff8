// Numbers of 8 bits, integers or e4m3, times the scale of their row: element by element, and 16
// elements per thread.
/* warpcheck
[[operation]]
name    = "dequantize"
extents = ["rows", "columns"]
inputs.q     = { shape = ["rows", "columns"] }
inputs.scale = { shape = ["rows"] }
outputs.y = { shape = ["rows", "columns"] }
define  = "y[i,j] = q[i,j] * scale[i]"

[defaults]
operation = "dequantize"
arguments = ["q", "stride_q", "scale", "y", "stride_y", "rows", "columns"]

[[variant]]
name   = "dequantize_s8_elements"
kernel = "dequantize_elements<signed char>"
types  = { q = "s8" }
block  = [128]
grid   = ["ceil_div(columns, 128)", "rows"]
requires = ["rows <= 65535"]

[[variant]]
name   = "dequantize_e4m3_elements"
kernel = "dequantize_elements<__nv_fp8_e4m3>"
types  = { q = "e4m3" }
architecture = "sm_89"
block  = [128]
grid   = ["ceil_div(columns, 128)", "rows"]
requires = ["rows <= 65535"]

[[variant]]
name   = "dequantize_s8_vectors"
kernel = "dequantize_vectors<signed char>"
types  = { q = "s8" }
block  = [64]
grid   = ["ceil_div(columns, 1024)", "rows"]
requires = [
  "rows <= 65535 and columns % 16 == 0 and stride_q % 16 == 0 and stride_y % 4 == 0",
  "aligned(q, 16) and aligned(y, 16)",
]

[[variant]]
name   = "dequantize_e4m3_vectors"
kernel = "dequantize_vectors<__nv_fp8_e4m3>"
types  = { q = "e4m3" }
architecture = "sm_89"
block  = [64]
grid   = ["ceil_div(columns, 1024)", "rows"]
requires = [
  "rows <= 65535 and columns % 16 == 0 and stride_q % 16 == 0 and stride_y % 4 == 0",
  "aligned(q, 16) and aligned(y, 16)",
]
*/

#include <cuda_fp8.h>

template <typename T>
__global__ void dequantize_elements(const T* q, int stride_q, const float* scale, float* y,
                                    int stride_y, int rows, int columns) {
  const int column = blockIdx.x * 128 + threadIdx.x;
  const size_t row = blockIdx.y;
  if (column >= columns) return;
  y[row * stride_y + column] = static_cast<float>(q[row * stride_q + column]) * scale[row];
}

template <typename T>
__global__ void dequantize_vectors(const T* q, int stride_q, const float* scale, float* y,
                                   int stride_y, int rows, int columns) {
  const int column = 16 * (blockIdx.x * 64 + threadIdx.x);
  const size_t row = blockIdx.y;
  if (column >= columns) return;
  union {
    uint4 all;
    unsigned char bytes[16];
  } loaded = {*reinterpret_cast<const uint4*>(q + row * stride_q + column)};
  const float of_row = scale[row];
  const auto value = [&](int i) {
    return static_cast<float>(reinterpret_cast<const T&>(loaded.bytes[i])) * of_row;
  };
  auto* to = reinterpret_cast<float4*>(y + row * stride_y + column);
  for (int i = 0; i < 4; ++i) {
    to[i] = {value(4 * i), value(4 * i + 1), value(4 * i + 2), value(4 * i + 3)};
  }
}
