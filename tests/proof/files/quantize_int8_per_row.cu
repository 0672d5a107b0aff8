// Symmetric int8 quantization with one scale per row: q = round(x / scale), scale = absmax / 127.
// Any rows >= 1, 1 <= cols <= 2^30. The kernel needs a power-of-two blockDim.x and blockDim.x
// floats of shared memory.
#include <cuda_runtime.h>
#include <stdint.h>

extern __shared__ float sdata[];

__global__ void quantize_int8_per_row_kernel(const float* x, int8_t* q, float* scales, int cols) {
  const unsigned int tid = threadIdx.x;
  const size_t row = blockIdx.x;

  float m = 0.0f;
  for (int c = tid; c < cols; c += blockDim.x) m = fmaxf(m, fabsf(x[row * cols + c]));
  sdata[tid] = m;
  __syncthreads();

  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] = fmaxf(sdata[tid], sdata[tid + s]);
    __syncthreads();
  }

  const float absmax = sdata[0];
  const float scale = absmax / 127.0f;
  const float inv = absmax > 0.0f ? 127.0f / absmax : 0.0f;
  if (tid == 0) scales[row] = scale;

  for (int c = tid; c < cols; c += blockDim.x) {
    float v = rintf(x[row * cols + c] * inv);
    v = fminf(fmaxf(v, -127.0f), 127.0f);
    q[row * cols + c] = (int8_t)v;
  }
}

void launch_quantize_int8_per_row(const float* x, int8_t* q, float* scales, int rows, int cols) {
  int threads = 32;
  while (threads < cols && threads < 512) threads *= 2;
  quantize_int8_per_row_kernel<<<rows, threads, threads * sizeof(float)>>>(x, q, scales, cols);
}
