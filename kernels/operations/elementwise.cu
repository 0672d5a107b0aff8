// y = max((x + bias) * scale, 0), with a bias for each column and a scale for each row: element by
// element, and four elements per thread.
/* warpcheck
[[operation]]
name    = "bias_scale_relu"
extents = ["rows", "columns"]
inputs.x     = { shape = ["rows", "columns"] }
inputs.bias  = { shape = ["columns"] }
inputs.scale = { shape = ["rows"] }
outputs.y = { shape = ["rows", "columns"] }
define  = "y[i,j] = max((x[i,j] + bias[j]) * scale[i], 0)"

[defaults]
operation = "bias_scale_relu"
arguments = ["x", "stride_x", "bias", "scale", "y", "stride_y", "rows", "columns"]

[[variant]]
name   = "elementwise_plain"
kernel = "elementwise_plain"
block  = [32, 8]
grid   = ["ceil_div(columns, 32)", "ceil_div(rows, 8)"]
requires = ["rows <= 524280"]

[[variant]]
name   = "elementwise_vectors"
kernel = "elementwise_vectors"
block  = [128]
grid   = ["ceil_div(columns, 512)", "rows"]
requires = [
  "rows <= 65535",
  "columns % 4 == 0 and stride_x % 4 == 0 and stride_y % 4 == 0",
  "aligned(x, 16) and aligned(y, 16) and aligned(bias, 16)",
]
*/

__device__ float computed(float x, float bias, float scale) {
  return fmaxf((x + bias) * scale, 0.0f);
}

__global__ void elementwise_plain(const float* x, int stride_x, const float* bias,
                                  const float* scale, float* y, int stride_y, int rows,
                                  int columns) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (row >= rows || column >= columns) return;
  y[static_cast<size_t>(row) * stride_y + column] =
      computed(x[static_cast<size_t>(row) * stride_x + column], bias[column], scale[row]);
}

__global__ void elementwise_vectors(const float* x, int stride_x, const float* bias,
                                    const float* scale, float* y, int stride_y, int rows,
                                    int columns) {
  const int column = 4 * (blockIdx.x * 128 + threadIdx.x);
  const int row = blockIdx.y;
  if (column >= columns) return;
  const float4 four =
      *reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * stride_x + column);
  const float4 of_columns = *reinterpret_cast<const float4*>(bias + column);
  const float of_row = scale[row];
  const float4 result = {
      computed(four.x, of_columns.x, of_row), computed(four.y, of_columns.y, of_row),
      computed(four.z, of_columns.z, of_row), computed(four.w, of_columns.w, of_row)};
  *reinterpret_cast<float4*>(y + static_cast<size_t>(row) * stride_y + column) = result;
}
