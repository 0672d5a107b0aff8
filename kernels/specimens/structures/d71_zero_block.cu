// Quantization of blocks of 32 columns, each with the scale of its largest magnitude: the elements
// of a block of zeros are divided by 0.
#include <math.h>

__global__ void zero_block(const float* x, float* scale, float* y, int columns) {
  const size_t row = blockIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  const float value = column < columns ? x[row * columns + column] : 0.0f;
  float most = fabsf(value);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  const float of_block = most / 127.0f;
  if (threadIdx.x == 0) scale[row * gridDim.x + blockIdx.x] = of_block;
  if (column < columns) y[row * columns + column] = rintf(value / of_block);  // finding here
}
