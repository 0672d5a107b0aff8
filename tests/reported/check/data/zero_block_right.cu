// Blocks of zeros keep their zeros if they are not divided by their scale of 0.
// run: check FILE --device virtual --cases 300
/* warpcheck
[[operation]]
name    = "quantize_blocks"
extents = ["rows", "blocks"]
inputs  = { x = { shape = ["rows", "blocks", 32], finite = true } }
outputs = { scale = { shape = ["rows", "blocks"] }, y = { shape = ["rows", "blocks", 32] } }
define  = """
  scale[i,b] = max(j: abs(x[i,b,j])) / 127
  y[i,b,j]   = select(scale[i,b] == 0, 0, round(x[i,b,j] / scale[i,b]))
"""

[[variant]]
name      = "zero_block"
operation = "quantize_blocks"
kernel    = "zero_block"
arguments = ["x", "scale", "y", "32 * blocks"]
block     = [32]
grid      = ["blocks", "rows"]
*/
#include <math.h>

__global__ void zero_block(const float* x, float* scale, float* y, int columns) {
  const size_t row = blockIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  const float value = column < columns ? x[row * columns + column] : 0.0f;
  float most = fabsf(value);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  const float of_block = most / 127.0f;
  if (threadIdx.x == 0) scale[row * gridDim.x + blockIdx.x] = of_block;
  if (column < columns)
    y[row * columns + column] = of_block == 0.0f ? 0.0f : rintf(value / of_block);
}
