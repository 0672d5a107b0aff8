// Defect 41: the slices of split-K are summed to nearest, and added rounding towards zero.

#include "../split_k.cuh"

__global__ void d41_partials(const float* a, const float* b, float* partials, int m, int n, int k) {
  const size_t element = thread_element();
  if (element >= size_t(m) * n) return;
  partials[size_t(blockIdx.y) * m * n + element] = slice_sum(a, b, element, n, k);
}

__global__ void d41_adds_slices_towards_zero(const float* partials, float* c, int m, int n) {
  const size_t element = thread_element();
  if (element >= size_t(m) * n) return;
  float sum = 0.0f;
  for (int slice = 0; slice < 4; ++slice) {
    sum = __fadd_rz(sum, partials[size_t(slice) * m * n + element]);
  }
  c[element] = sum;  // finding here
}
