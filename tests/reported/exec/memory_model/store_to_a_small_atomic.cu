// A thread stores to a byte that others update with atomics, without an atomic of its own.
// exits: 1
// build: -arch=sm_80 -std=c++17
// prints: error[race]
// prints: element 1 of allocation 1
// prints: 1 finding
#include <cuda/atomic>

__global__ void kernel(unsigned char* bytes) {
  if (threadIdx.x == 0) bytes[1] = 7;
  if (threadIdx.x >= 32) {
    cuda::atomic_ref<unsigned char, cuda::thread_scope_device>(bytes[1]).fetch_add(2);
  }
}

int main() {
  unsigned char* bytes;
  cudaMalloc(&bytes, 4);
  cudaMemset(bytes, 0, 4);
  kernel<<<1, 128>>>(bytes);
  cudaDeviceSynchronize();
}
