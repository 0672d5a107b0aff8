// Defect 60: a thread reads the sum of another thread through the read-only cache, which is not
// coherent with stores of the same kernel, whatever orders them.

__global__ void d60_partials_through_read_only_cache(const float* a, const float* b,
                                                     float* partials, float* c, int m, int n,
                                                     int k) {
  const size_t elements = size_t(m) * n;
  const size_t element = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool inside = element < elements;
  if (inside) {
    const size_t row = element / n;
    const size_t column = element % n;
    float sum = 0.0f;
    for (int p = threadIdx.y; p < k; p += 2) sum += a[row * k + p] * b[size_t(p) * n + column];
    partials[threadIdx.y * elements + element] = sum;
  }
  __syncthreads();
  if (inside && threadIdx.y == 0) {
    c[element] = partials[element] + __ldg(&partials[elements + element]);  // finding here
  }
}
