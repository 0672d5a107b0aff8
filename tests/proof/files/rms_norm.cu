// RMSNorm over the last dimension: input is [num_tokens, hidden_size] with a row stride, out is
// contiguous. Any num_tokens >= 1, 1 <= hidden_size <= 2^20, input_stride >= hidden_size (in
// elements).
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>

template <typename T>
__device__ __forceinline__ float to_float(T v);
template <>
__device__ __forceinline__ float to_float<float>(float v) {
  return v;
}
template <>
__device__ __forceinline__ float to_float<__half>(__half v) {
  return __half2float(v);
}

template <typename T>
__device__ __forceinline__ T from_float(float v);
template <>
__device__ __forceinline__ float from_float<float>(float v) {
  return v;
}
template <>
__device__ __forceinline__ __half from_float<__half>(float v) {
  return __float2half(v);
}

template <typename scalar_t, int BLOCK>
__global__ void __launch_bounds__(BLOCK)
    rms_norm_kernel(scalar_t* __restrict__ out,          // [num_tokens, hidden_size]
                    const scalar_t* __restrict__ input,  // [num_tokens, hidden_size], strided
                    const int64_t input_stride,
                    const scalar_t* __restrict__ weight,  // [hidden_size]
                    const float epsilon, const int hidden_size) {
  constexpr int NUM_WARPS = BLOCK / 32;
  __shared__ float s_partial[NUM_WARPS];
  __shared__ float s_variance;

  const int64_t token = blockIdx.x;
  float variance = 0.0f;
  for (int idx = threadIdx.x; idx < hidden_size; idx += BLOCK) {
    const float x = to_float<scalar_t>(input[token * input_stride + idx]);
    variance += x * x;
  }

#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1)
    variance += __shfl_xor_sync(0xffffffffu, variance, mask);
  if ((threadIdx.x & 31) == 0) s_partial[threadIdx.x >> 5] = variance;
  __syncthreads();

  if (threadIdx.x == 0) {
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < NUM_WARPS; ++w) total += s_partial[w];
    s_variance = rsqrtf(total / hidden_size + epsilon);
  }
  __syncthreads();

  for (int idx = threadIdx.x; idx < hidden_size; idx += BLOCK) {
    const float x = to_float<scalar_t>(input[token * input_stride + idx]);
    out[token * hidden_size + idx] =
        from_float<scalar_t>(x * s_variance * to_float<scalar_t>(weight[idx]));
  }
}

template __global__ void rms_norm_kernel<float, 256>(float*, const float*, const int64_t,
                                                     const float*, const float, const int);
template __global__ void rms_norm_kernel<__half, 256>(__half*, const __half*, const int64_t,
                                                      const __half*, const float, const int);

template <typename scalar_t>
void launch_rms_norm(scalar_t* out, const scalar_t* input, int64_t input_stride,
                     const scalar_t* weight, float epsilon, int num_tokens, int hidden_size,
                     cudaStream_t stream) {
  dim3 grid(num_tokens);
  dim3 block(256);
  rms_norm_kernel<scalar_t, 256>
      <<<grid, block, 0, stream>>>(out, input, input_stride, weight, epsilon, hidden_size);
}

template void launch_rms_norm<float>(float*, const float*, int64_t, const float*, float, int, int,
                                     cudaStream_t);
template void launch_rms_norm<__half>(__half*, const __half*, int64_t, const __half*, float, int,
                                      int, cudaStream_t);
