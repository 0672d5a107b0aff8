// Defect 22: each slice of split-K stores its partial result one matrix further, counted from C
// instead of from the workspace.

#include "../split_k.cuh"

__global__ void d22_partials_over_c(const float* a, const float* b, float* c, int m, int n, int k) {
  const size_t element = thread_element();
  if (element >= size_t(m) * n) return;
  const float sum = slice_sum(a, b, element, n, k);
  c[size_t(blockIdx.y) * m * n + element] = sum;  // finding here
}

__global__ void d22_add_partials(float* c, int m, int n) {
  const size_t element = thread_element();
  if (element >= size_t(m) * n) return;
  float sum = 0.0f;
  for (int slice = 0; slice < 4; ++slice) sum += c[size_t(slice) * m * n + element];
  c[element] = sum;
}
