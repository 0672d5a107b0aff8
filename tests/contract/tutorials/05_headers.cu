#include <element.cuh>

__global__ void multiply(const element* a, const element* b, element* c, int m, int n, int k) {
  for (int tile = blockIdx.x; tile < tiles(m) * tiles(n); tile += gridDim.x) {
    const int row = tile / tiles(n) * kTile + threadIdx.y;
    const int column = tile % tiles(n) * kTile + threadIdx.x;
    if (row >= m || column >= n) continue;
    element sum = 0;
    for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + column];
    c[row * n + column] = sum;
  }
}
