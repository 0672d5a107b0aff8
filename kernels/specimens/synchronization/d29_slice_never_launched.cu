// Defect 29: the block that owns a tile waits for four slices of k, also where m is small and the
// launch has fewer.

__global__ void d29_slice_never_launched(const float* a, const float* b, float* c, int* workspace,
                                         int m, int n, int k) {
  constexpr int tile = 8;
  constexpr int slices = 4;
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  const bool inside = row < m && column < n;
  int* arrived = workspace + blockIdx.y * gridDim.x + blockIdx.x;
  float* parts = reinterpret_cast<float*>(workspace + gridDim.x * gridDim.y);

  float sum = 0.0f;
  for (int p = blockIdx.z; p < k && inside; p += gridDim.z) {
    sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
  }
  if (inside) parts[(size_t(blockIdx.z) * m + row) * n + column] = sum;
  __syncthreads();
  const bool leader = threadIdx.x == 0 && threadIdx.y == 0;
  if (leader) {
    __threadfence();
    atomicAdd(arrived, 1);
  }
  if (blockIdx.z != 0) return;

  if (leader) {
    while (*(volatile int*)arrived != slices) {  // finding here
    }
    __threadfence();
  }
  __syncthreads();
  if (!inside) return;
  for (int slice = 1; slice < slices; ++slice) {
    sum += parts[(size_t(slice) * m + row) * n + column];
  }
  c[size_t(row) * n + column] = sum;
}
