// Cross-correlation of each row with a filter, where the filter lies inside of the row.
/* warpcheck
[[operation]]
name    = "correlation"
extents = ["rows", "length", "taps"]
inputs.x = { shape = ["rows", "length + taps - 1"] }
inputs.w = { shape = ["taps"] }
outputs.y = { shape = ["rows", "length"] }
define  = "y[i,t] = sum(s: x[i, t + s] * w[s])"

[[variant]]
name      = "correlation"
operation = "correlation"
kernel    = "correlation"
arguments = ["x", "stride_x", "w", "y", "length", "taps"]
block     = [64]
grid      = ["ceil_div(length, 64)", "rows"]
requires  = ["rows <= 65535 and taps <= 32"]
*/

__global__ void correlation(const float* x, int stride_x, const float* w, float* y, int length,
                            int taps) {
  __shared__ float piece[64 + 31];
  const float* row = x + static_cast<size_t>(blockIdx.y) * stride_x;
  const int begin = blockIdx.x * 64;
  const int end = min(begin + 64, length) + taps - 1;
  for (int t = begin + threadIdx.x; t < end; t += 64) piece[t - begin] = row[t];
  __syncthreads();
  const int t = begin + threadIdx.x;
  if (t >= length) return;
  float sum = 0.0f;
  for (int s = 0; s < taps; ++s) sum += piece[threadIdx.x + s] * w[s];
  y[static_cast<size_t>(blockIdx.y) * length + t] = sum;
}
