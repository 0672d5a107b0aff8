// A file with kernels that are no matrix products, and a product whose extents have other meanings:
// A is m x n, B is n x k.
#include <cstdlib>

__global__ void fill(float* data, float value, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = value;
}

__global__ void gpu_matrix_mult(int* a, int* b, int* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  if (col < k && row < m) {
    for (int i = 0; i < n; i++) sum += a[row * n + i] * b[i * k + col];
    c[row * k + col] = sum;
  }
}

int main() {
  int m = 100, n = 200, k = 300;
  const char* text = "not a launch: kernel<<<1, 2>>>(x)";
  int *d_a, *d_b, *d_c;
  cudaMalloc((void**)&d_a, sizeof(int) * m * n);
  cudaMalloc((void**)&d_b, sizeof(int) * n * k);
  cudaMalloc((void**)&d_c, sizeof(int) * m * k);
  const int BLOCK_SIZE = 16;
  unsigned int grid_rows = (m + BLOCK_SIZE - 1) / BLOCK_SIZE;
  unsigned int grid_cols = (k + BLOCK_SIZE - 1) / BLOCK_SIZE;
  dim3 dimGrid(grid_cols, grid_rows);
  dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  gpu_matrix_mult<<<dimGrid, dimBlock>>>(d_a, d_b, d_c, m, n, k);
  return text == nullptr;
}
