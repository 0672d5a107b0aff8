// printf and assert: calls of vprintf and __assertfail, strings in .global, a local buffer.
#include <cassert>
#include <cstdio>

__global__ void report(const float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n > 0 && "no values");
  if (i < n) printf("%d: %f \"quoted\" %s\n", i, values[i], i % 2 ? "odd" : "even");
}
