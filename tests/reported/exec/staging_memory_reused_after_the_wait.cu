// Staging memory is reused after a wait, other bytes of it at any time, and pageable memory at
// once: CUDA copies pageable memory before the call returns.
// exits: 0
// prints: 0 findings
#include <cstdlib>

__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
  int *pinned, *device, *managed;
  cudaStream_t stream;
  cudaEvent_t done;
  cudaStreamCreate(&stream);
  cudaEventCreate(&done);
  cudaMallocHost(&pinned, 4096);
  cudaMallocManaged(&managed, 4096);
  cudaMalloc(&device, 4096);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 8; ++i) pinned[i] = round;
    cudaMemcpyAsync(device, pinned, 32, cudaMemcpyHostToDevice, stream);
    for (int i = 8; i < 16; ++i) pinned[i] = round;  // the copy does not read them
    cudaMemcpyAsync(device + 8, pinned + 8, 32, cudaMemcpyHostToDevice, stream);
    twice<<<1, 16, 0, stream>>>(device);
    // The device may overwrite what it has read, in the order of the stream.
    cudaMemcpyAsync(pinned, device, 64, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(done, stream);
    cudaEventSynchronize(done);
  }
  int* const pageable = static_cast<int*>(std::malloc(32));
  for (int i = 0; i < 8; ++i) pageable[i] = i;
  cudaMemcpyAsync(device, pageable, 32, cudaMemcpyHostToDevice, stream);
  for (int i = 0; i < 8; ++i) pageable[i] = 7;
  twice<<<1, 16, 0, stream>>>(device);
  twice<<<1, 8, 0, stream>>>(managed + 100);
  cudaStreamSynchronize(stream);
  managed[100] = 1;
  cudaFree(device);
  cudaFree(managed);
  cudaFreeHost(pinned);
  std::free(pageable);
  return 0;
}
