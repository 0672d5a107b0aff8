// Defect 23: the blocks of a tile add their slices of k to one sum in memory, by a load and a
// store where an atomic addition was needed.

__global__ void d23_sums_without_atomics(const float* a, const float* b, float* sums, int m, int n,
                                         int k) {
  const size_t element = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element >= size_t(m) * n) return;
  const size_t row = element / n;
  const size_t column = element % n;
  float sum = 0.0f;
  for (int p = blockIdx.y; p < k; p += gridDim.y) sum += a[row * k + p] * b[size_t(p) * n + column];
  sums[element] += sum;  // finding here
}

__global__ void d23_store_sums(const float* sums, float* c, int m, int n) {
  const size_t element = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element < size_t(m) * n) c[element] = sums[element];
}
