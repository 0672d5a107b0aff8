// A byte that atomics update is undefined at first; those beside it are defined.
// exits: 1
// build: -arch=sm_80 -std=c++17
// prints: error[uninitialized-read]: an undefined value is stored to byte 1 of
// prints: 1 finding
#include <cuda/atomic>

__global__ void kernel(unsigned char* bytes) {
  cuda::atomic_ref<unsigned char, cuda::thread_scope_device>(bytes[1]).fetch_add(2);
}

int main() {
  unsigned char* bytes;
  cudaMalloc(&bytes, 4);
  cudaMemset(bytes, 0, 1);
  cudaMemset(bytes + 2, 0, 2);
  kernel<<<1, 32>>>(bytes);
  cudaDeviceSynchronize();
}
