// One template, launched with several tile sizes and types.
#include <cuda_fp16.h>

template <typename T, int TILE>
__global__ void tiledMatmul(const T* lhs, const T* rhs, T* result, int rows, int cols, int inner) {
  __shared__ T left[TILE][TILE];
  __shared__ T right[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  T acc = T(0);
  for (int base = 0; base < inner; base += TILE) {
    const int ka = base + threadIdx.x;
    const int kb = base + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = (row < rows && ka < inner) ? lhs[row * inner + ka] : T(0);
    right[threadIdx.y][threadIdx.x] = (kb < inner && col < cols) ? rhs[kb * cols + col] : T(0);
    __syncthreads();
    for (int i = 0; i < TILE; ++i) acc += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && col < cols) result[row * cols + col] = acc;
}

template <typename T, int TILE>
void launch(const T* lhs, const T* rhs, T* result, int rows, int cols, int inner) {
  const dim3 block{TILE, TILE};
  const dim3 grid{(unsigned)(cols + TILE - 1) / TILE, (unsigned)(rows + TILE - 1) / TILE};
  tiledMatmul<T, TILE><<<grid, block>>>(lhs, rhs, result, rows, cols, inner);
}

void both(const float* lhs, const float* rhs, float* result, int rows, int cols, int inner) {
  const int tile = rows > 512 ? 32 : 16;
  if (tile == 16) {
    tiledMatmul<float, 16><<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(
        lhs, rhs, result, rows, cols, inner);
  } else {
    tiledMatmul<float, 32><<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(
        lhs, rhs, result, rows, cols, inner);
  }
}

template __global__ void tiledMatmul<double, 8>(const double*, const double*, double*, int, int,
                                                int);
