// A product as in libraries. The PTX beside this file is the output of nvcc 13.0, -std=c++17.
#include <cuda_fp16.h>

/// Row-major A of 16 x 16 halves, then B of 16 x 8; D of floats.
extern "C" __global__ void f(const __half* in, float* out) {
  __shared__ __align__(16) __half a[16][24];
  __shared__ __align__(16) __half b[16][8];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 256; i += 32) a[i / 16][i % 16] = in[i];
  for (unsigned i = lane; i < 128; i += 32) b[i / 8][i % 8] = in[256 + i];
  __syncwarp();
  unsigned x[4];
  unsigned y[2];
  float d[4] = {};
  const auto row_of_a =
      static_cast<unsigned>(__cvta_generic_to_shared(&a[lane % 16][lane / 16 * 8]));
  const auto row_of_b = static_cast<unsigned>(__cvta_generic_to_shared(&b[lane % 16][0]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"(row_of_a));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(y[0]), "=r"(y[1])
               : "r"(row_of_b));
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  for (unsigned i = 0; i < 4; ++i) out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}
