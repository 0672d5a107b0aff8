// The cross entropy of each row of logits with its label; a row with the label -1 has no loss.
/* warpcheck
[[operation]]
name    = "cross_entropy"
extents = ["rows", "classes"]
inputs.x     = { shape = ["rows", "classes"] }
inputs.label = { shape = ["rows"], integer = true, range = [-1, "classes - 1"] }
outputs.loss = { shape = ["rows"] }
define  = """
  peak[i]  = max(j: x[i,j])
  total[i] = sum(j: exp(x[i,j] - peak[i]))
  loss[i]  = select(label[i] < 0, 0, log(total[i]) - ((x[i, label[i]] or 0) - peak[i]))
"""

[[variant]]
name      = "cross_entropy"
operation = "cross_entropy"
kernel    = "cross_entropy"
arguments = ["x", "stride_x", "label", "loss", "rows", "classes"]
block     = [32, 4]
grid      = ["ceil_div(rows, 4)"]
requires  = ["classes >= 1"]
*/
#include <math.h>

__global__ void cross_entropy(const float* x, int stride_x, const int* label, float* loss, int rows,
                              int classes) {
  const int row = blockIdx.x * 4 + threadIdx.y;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float peak = -INFINITY;
  for (int j = threadIdx.x; j < classes; j += 32) peak = fmaxf(peak, from[j]);
  for (int step = 16; step > 0; step /= 2) peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, step));
  float total = 0.0f;
  for (int j = threadIdx.x; j < classes; j += 32) total += expf(from[j] - peak);
  for (int step = 16; step > 0; step /= 2) total += __shfl_xor_sync(~0u, total, step);
  const int chosen = label[row];
  if (threadIdx.x == 0) loss[row] = chosen < 0 ? 0.0f : logf(total) - (from[chosen] - peak);
}
