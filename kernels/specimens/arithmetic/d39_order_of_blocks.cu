// Defect 39: split-K with atomics. Each block adds its slice of k to the sum when it finishes, so
// that the sum's last bits depend on the order of the blocks; the contract promises the same bits.

__global__ void d39_order_of_blocks(const float* a, const float* b, float* c, int* workspace, int m,
                                    int n, int k) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = element / n;
  const int column = element % n;
  float* sums = reinterpret_cast<float*>(workspace + gridDim.x);

  if (row < m) {
    float sum = 0.0f;
    for (int p = blockIdx.y; p < k; p += gridDim.y) {
      sum += a[size_t(row) * k + p] * b[size_t(p) * n + column];
    }
    atomicAdd(&sums[element], sum);
  }

  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(&workspace[blockIdx.x], 1) == gridDim.y - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && row < m) c[element] = sums[element];  // finding here
}
