// 256-bin histogram of n bytes, one private copy per block in shared memory, then merged with
// atomics. Any n (counts below 2^32 per bin); hist has 256 entries and is zeroed by the launcher.
#include <cuda_runtime.h>

#define NUM_BINS 256
#define BLOCK_SIZE 128

__global__ void histogram_kernel(const unsigned char* input, unsigned int* hist, size_t n) {
  __shared__ unsigned int local[NUM_BINS];

  // clear the private histogram
  for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();

  size_t tid = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
  size_t stride = (size_t)blockDim.x * gridDim.x;
  while (tid < n) {
    atomicAdd(&local[input[tid]], 1u);
    tid += stride;
  }
  __syncthreads();

  // merge
  for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
    unsigned int count = local[b];
    if (count > 0) atomicAdd(&hist[b], count);
  }
}

void launch_histogram_shared(const unsigned char* input, unsigned int* hist, size_t n) {
  cudaMemset(hist, 0, NUM_BINS * sizeof(unsigned int));
  if (n == 0) return;
  size_t blocks = (n + BLOCK_SIZE * 16 - 1) / (BLOCK_SIZE * 16);
  if (blocks > 1024) blocks = 1024;
  histogram_kernel<<<(int)blocks, BLOCK_SIZE>>>(input, hist, n);
}
