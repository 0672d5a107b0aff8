// Split-K for specimens: a thread per element and slice of k, then a thread per element.
#pragma once

/// Computes the calling thread's element of C = A B, packed by rows, over the slice's part of k.
__device__ inline float slice_sum(const float* a, const float* b, size_t element, int n, int k) {
  const size_t row = element / n;
  const size_t column = element % n;
  float sum = 0.0f;
  for (int p = blockIdx.y; p < k; p += gridDim.y) sum += a[row * k + p] * b[size_t(p) * n + column];
  return sum;
}

/// Number of the calling thread along the grid's x axis.
__device__ inline size_t thread_element() { return size_t(blockIdx.x) * blockDim.x + threadIdx.x; }
