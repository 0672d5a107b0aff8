// Unpacks int4 weights [rows, K/2 bytes] to half [rows, K]; scale and zero point per group of
// group_size columns. K is a multiple of group_size, group_size is even and >= 2, rows <= 65535, K
// <= 2^30; out is 4-byte aligned.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>

__global__ void dequantize_int4_kernel(const uint8_t* __restrict__ packed,
                                       const __half* __restrict__ scales,  // [rows, K / group_size]
                                       const uint8_t* __restrict__ zeros,  // [rows, K / group_size]
                                       __half* __restrict__ out, int K, int group_size) {
  const int byte_col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  const int bytes_per_row = K / 2;
  if (byte_col >= bytes_per_row) return;

  const int groups = K / group_size;
  const int g = (2 * byte_col) / group_size;

  const size_t pos = (size_t)row * bytes_per_row + byte_col;
  const uint8_t b = packed[pos];
  const __half s = scales[(size_t)row * groups + g];
  const int z = zeros[(size_t)row * groups + g];

  const __half2 q =
      __halves2half2(__int2half_rn((int)(b & 0x0F) - z), __int2half_rn((int)(b >> 4) - z));
  reinterpret_cast<__half2*>(out)[pos] = __hmul2(q, __half2half2(s));
}

void launch_dequantize_int4_groups(const uint8_t* packed, const __half* scales,
                                   const uint8_t* zeros, __half* out, int rows, int K,
                                   int group_size, cudaStream_t stream) {
  dim3 block(128);
  dim3 grid((K / 2 + 127) / 128, rows);
  dequantize_int4_kernel<<<grid, block, 0, stream>>>(packed, scales, zeros, out, K, group_size);
}
