// Defect 2: the guard of a 16-byte load (p < k) checks only that the first of its four elements
// exists. The load is aligned, and the elements past the row are not used, but the load reads past
// the end of A.

#include <cstdint>

__global__ void d02_vector_guard_first_element(const float* a, const float* b, float* c, int m,
                                               int n, int k, int lda, int ldb, int ldc) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; p += 4) {
    const float* source = a + size_t(row) * lda + p;
    float four[4] = {};
    if (reinterpret_cast<std::uintptr_t>(source) % sizeof(float4) == 0) {
      const float4 loaded = *reinterpret_cast<const float4*>(source);  // finding here
      four[0] = loaded.x;
      four[1] = loaded.y;
      four[2] = loaded.z;
      four[3] = loaded.w;
    } else {
      for (int i = 0; i < 4; ++i) {
        if (p + i < k) four[i] = source[i];
      }
    }
    for (int i = 0; i < 4; ++i) {
      if (p + i < k) sum += four[i] * b[size_t(p + i) * ldb + column];
    }
  }
  c[size_t(row) * ldc + column] = sum;
}
