// A histogram with counters of 8 bits in shared memory, of a block that counts up to 1024 elements:
// they overflow if more than 255 elements have the same bin.
__global__ void counter_of_8_bits(const int* bin, int* count, int n, int bins) {
  extern __shared__ unsigned packed[];
  const int words = (bins + 3) / 4;
  for (int i = threadIdx.x; i < words; i += 128) packed[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 128) {
    atomicAdd(packed + bin[i] / 4, 1u << bin[i] % 4 * 8);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += 128) {
    count[i] = packed[i / 4] >> i % 4 * 8 & 0xff;  // finding here
  }
}
