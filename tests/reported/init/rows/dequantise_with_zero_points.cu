// A pointer is no number: the kernel is a dequantisation, and no matrix product.
// run: init FILE
// prints: arguments = ["q", "scale", "zero", "out", "rows", "cols"]
// prints: define       = "out[i,j] = (q[i,j] - zero[i]) * scale[i]"  # guessed
// prints not: gemm
#include <cstdint>
__global__ void dequant(const int8_t* q, const float* scale, const int* zero, float* out, int rows,
                        int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c < cols) out[(size_t)r * cols + c] = (q[(size_t)r * cols + c] - zero[r]) * scale[r];
}
