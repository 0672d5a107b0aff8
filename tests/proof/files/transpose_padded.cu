// Matrix transpose through a padded shared tile: out[cols, rows] = in[rows, cols]^T.
// Any rows and cols with rows * cols < 2^31 and 1 <= rows <= 2097120 (65535 tiles in y).
#include <cuda_runtime.h>

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transpose(float* odata, const float* idata, int rows, int cols) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];  // +1 avoids bank conflicts

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * cols + x];

  __syncthreads();

  x = blockIdx.y * TILE_DIM + threadIdx.x;  // swap block indices
  y = blockIdx.x * TILE_DIM + threadIdx.y;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < rows && y + j < cols) odata[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

void launch_transpose_padded(float* odata, const float* idata, int rows, int cols) {
  dim3 dimGrid((cols - 1) / TILE_DIM + 1, (rows - 1) / TILE_DIM + 1, 1);
  dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  transpose<<<dimGrid, dimBlock>>>(odata, idata, rows, cols);
}
