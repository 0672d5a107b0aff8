// NeoX rope: src is [ne2][ne1][ne0] with element strides s1, s2 (unit stride inside a row), dst is
// contiguous. ne0 and n_dims are even, n_dims <= ne0 <= 2^20, ne1*ne2 < 2^31, s1 >= ne0, s2 >=
// ne1*s1; src and dst do not overlap.
#include <cuda_runtime.h>

#include <cstdint>

#define CUDA_ROPE_BLOCK_SIZE 256

static __global__ void rope_neox(const float* x, float* dst, const int32_t* pos, const int ne0,
                                 const int ne1, const int64_t s1, const int64_t s2,
                                 const int n_dims, const float freq_scale,
                                 const float theta_scale) {
  const int i0 = 2 * (blockDim.y * blockIdx.y + threadIdx.y);

  if (i0 >= ne0) {
    return;
  }

  const int row_dst = blockDim.x * blockIdx.x + threadIdx.x;
  const int row_x = row_dst % ne1;
  const int channel_x = row_dst / ne1;

  const int64_t idst = (int64_t)row_dst * ne0 + i0 / 2;
  const int64_t ix = channel_x * s2 + row_x * s1 + i0 / 2;

  if (i0 >= n_dims) {
    dst[idst + i0 / 2 + 0] = x[ix + i0 / 2 + 0];
    dst[idst + i0 / 2 + 1] = x[ix + i0 / 2 + 1];
    return;
  }

  const float theta = freq_scale * pos[channel_x] * powf(theta_scale, i0 / 2.0f);
  const float cos_theta = cosf(theta);
  const float sin_theta = sinf(theta);

  const float x0 = x[ix + 0];
  const float x1 = x[ix + n_dims / 2];

  dst[idst + 0] = x0 * cos_theta - x1 * sin_theta;
  dst[idst + n_dims / 2] = x0 * sin_theta + x1 * cos_theta;
}

void launch_rope_neox_strided(const float* x, float* dst, const int32_t* pos, int ne0, int ne1,
                              int ne2, int64_t s1, int64_t s2, int n_dims, float freq_scale,
                              float theta_scale, cudaStream_t stream) {
  const dim3 block_dims(1, CUDA_ROPE_BLOCK_SIZE, 1);
  const int n_blocks_x = (ne0 + 2 * CUDA_ROPE_BLOCK_SIZE - 1) / (2 * CUDA_ROPE_BLOCK_SIZE);
  const dim3 block_nums(ne1 * ne2, n_blocks_x, 1);
  rope_neox<<<block_nums, block_dims, 0, stream>>>(x, dst, pos, ne0, ne1, s1, s2, n_dims,
                                                   freq_scale, theta_scale);
}
