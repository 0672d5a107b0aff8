// Norms of rows: a tree of sums that needs a number of columns that is a power of two; a barrier
// that is missing between two sums; a row length that is the distance of rows; squares in bf16.
__global__ void columns_not_a_power_of_two(const float* x, int stride_x, float* y, int stride_y,
                                           int rows, int columns) {
  __shared__ float squares[256];
  const float value = x[static_cast<size_t>(blockIdx.x) * stride_x + threadIdx.x];
  squares[threadIdx.x] = value * value;
  __syncthreads();
  for (int step = columns / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) squares[threadIdx.x] += squares[threadIdx.x + step];
    __syncthreads();
  }
  const float result = value * rsqrtf(squares[0] / columns + 1e-5f);
  y[static_cast<size_t>(blockIdx.x) * stride_y + threadIdx.x] = result;  // finding here
}

__global__ void no_barrier_before_sum(const float* x, int stride_x, float* y, int stride_y,
                                      int rows, int columns) {
  __shared__ float parts[32];
  const float* from = x + static_cast<size_t>(blockIdx.x) * stride_x;
  float squares = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) squares += from[j] * from[j];
  parts[threadIdx.x] = squares;  // finding here
  float total = 0.0f;
  for (int i = 0; i < 32; ++i) total += parts[i];  // finding here
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float factor = rsqrtf(total / columns + 1e-5f);
    y[static_cast<size_t>(blockIdx.x) * stride_y + j] = from[j] * factor;
  }
}

__global__ void row_length_as_stride(const float* x, int stride_x, float* y, int stride_y, int rows,
                                     int columns) {
  const float* from = x + static_cast<size_t>(blockIdx.x) * stride_x;
  float squares = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) squares += from[j] * from[j];
  for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(~0u, squares, step);
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float factor = rsqrtf(squares / columns + 1e-5f);
    y[static_cast<size_t>(blockIdx.x) * columns + j] = from[j] * factor;  // finding here
  }
}

#include <cuda_bf16.h>

template <bool kNarrow>
__global__ void squares_in_bf16(const __nv_bfloat16* x, int stride_x, __nv_bfloat16* y,
                                int stride_y, int rows, int columns) {
  const __nv_bfloat16* from = x + static_cast<size_t>(blockIdx.x) * stride_x;
  float total = 0.0f;
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float value = __bfloat162float(from[j]);
    total += value * value;
    if (kNarrow) total = __bfloat162float(__float2bfloat16(total));
  }
  for (int step = 16; step > 0; step /= 2) total += __shfl_xor_sync(~0u, total, step);
  const float factor = rsqrtf(total / columns + 1e-5f);
  for (int j = threadIdx.x; j < columns; j += 32) {
    const float value = __bfloat162float(from[j]) * factor;
    y[static_cast<size_t>(blockIdx.x) * stride_y + j] = __float2bfloat16(value);  // finding here
  }
}
