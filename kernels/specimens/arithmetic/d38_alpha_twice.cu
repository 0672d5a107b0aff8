// Defect 38: the slices of split-K are scaled by alpha, and so is their sum.

#include "../split_k.cuh"

__global__ void d38_scaled_slices(const float* a, const float* b, float* partials, int m, int n,
                                  int k, float alpha) {
  const size_t element = thread_element();
  if (element >= size_t(m) * n) return;
  const float sum = slice_sum(a, b, element, n, k);
  partials[size_t(blockIdx.y) * m * n + element] = alpha == 0.0f ? 0.0f : alpha * sum;
}

__global__ void d38_alpha_twice(const float* partials, float* c, int m, int n, float alpha) {
  const size_t element = thread_element();
  if (element >= size_t(m) * n) return;
  float sum = 0.0f;
  for (int slice = 0; slice < 4; ++slice) sum += partials[size_t(slice) * m * n + element];
  c[element] = alpha == 0.0f ? 0.0f : alpha * sum;  // finding here
}
