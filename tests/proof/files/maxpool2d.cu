// Max pooling of planes [planes, H, W] -> [planes, OH, OW] with kernel, stride and padding; 3-D
// blocks. 1 <= kernel <= H, W; stride >= 1; 0 <= 2*pad <= kernel; H and W <= 2^16; any planes in 1
// .. 2^30.
#include <cuda_runtime.h>
#include <math_constants.h>

__global__ void maxpool2d_kernel(const float* __restrict__ in, float* __restrict__ out, int planes,
                                 int H, int W, int OH, int OW, int kernel, int stride, int pad) {
  const int ow = blockIdx.x * blockDim.x + threadIdx.x;
  const int oh = blockIdx.y * blockDim.y + threadIdx.y;
  if (ow >= OW || oh >= OH) return;

  // clip the window to the image
  int h_start = oh * stride - pad;
  int w_start = ow * stride - pad;
  const int h_end = min(h_start + kernel, H);
  const int w_end = min(w_start + kernel, W);
  h_start = max(h_start, 0);
  w_start = max(w_start, 0);

  for (int p = blockIdx.z * blockDim.z + threadIdx.z; p < planes; p += blockDim.z * gridDim.z) {
    const float* plane = in + (size_t)p * H * W;
    float best = -CUDART_INF_F;
    for (int h = h_start; h < h_end; ++h)
      for (int w = w_start; w < w_end; ++w) best = fmaxf(best, plane[(size_t)h * W + w]);
    out[((size_t)p * OH + oh) * OW + ow] = best;
  }
}

void launch_maxpool2d(const float* in, float* out, int planes, int H, int W, int kernel, int stride,
                      int pad, cudaStream_t stream) {
  const int OH = (H + 2 * pad - kernel) / stride + 1;
  const int OW = (W + 2 * pad - kernel) / stride + 1;
  const dim3 block(32, 4, 2);
  const int gz = (planes + 1) / 2;
  const dim3 grid((OW + 31) / 32, (OH + 3) / 4, gz < 65535 ? gz : 65535);
  maxpool2d_kernel<<<grid, block, 0, stream>>>(in, out, planes, H, W, OH, OW, kernel, stride, pad);
}
