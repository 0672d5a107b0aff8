// 1-D convolution with a (2R+1)-tap filter, zero padding at both ends, shared tile with halo cells.
// Works for every signal length n from 1 to 2^30; R is 2, 4 or 8.
#include <cuda_runtime.h>

template <int R, int TILE>
__global__ void conv1d_halo_kernel(const float* __restrict__ x, const float* __restrict__ w,
                                   float* __restrict__ y, int n) {
  __shared__ float tile[TILE + 2 * R];

  const int tid = threadIdx.x;
  const int i = blockIdx.x * TILE + tid;

  // interior
  tile[R + tid] = (i < n) ? x[i] : 0.0f;

  // halo: the first R threads fetch both ends
  if (tid < R) {
    const int left = i - R;
    tile[tid] = (left >= 0) ? x[left] : 0.0f;

    const int right = i + TILE;
    tile[R + TILE + tid] = (blockIdx.x + 1 < gridDim.x) ? x[right] : 0.0f;
  }
  __syncthreads();

  if (i < n) {
    float acc = 0.0f;
#pragma unroll
    for (int k = 0; k < 2 * R + 1; ++k) acc += tile[tid + k] * w[k];
    y[i] = acc;
  }
}

template __global__ void conv1d_halo_kernel<2, 256>(const float*, const float*, float*, int);
template __global__ void conv1d_halo_kernel<4, 256>(const float*, const float*, float*, int);
template __global__ void conv1d_halo_kernel<8, 256>(const float*, const float*, float*, int);

void launch_conv1d_halo(const float* x, const float* w, float* y, int n, int radius,
                        cudaStream_t stream) {
  constexpr int TILE = 256;
  const int grid = (n + TILE - 1) / TILE;
  switch (radius) {
    case 2:
      conv1d_halo_kernel<2, TILE><<<grid, TILE, 0, stream>>>(x, w, y, n);
      break;
    case 4:
      conv1d_halo_kernel<4, TILE><<<grid, TILE, 0, stream>>>(x, w, y, n);
      break;
    case 8:
      conv1d_halo_kernel<8, TILE><<<grid, TILE, 0, stream>>>(x, w, y, n);
      break;
    default:
      break;
  }
}
