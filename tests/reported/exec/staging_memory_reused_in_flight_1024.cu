// The host overwrites the source of an asynchronous copy before it waits, in memory of which the
// copy reads a part.
// build: -arch=sm_80 -DSIZE=1024
// exits: 1
// prints: error[race]
// prints: which cudaMemcpyAsync
// prints: bytes 0 to 28 of allocation 1
// prints: cudaMemcpyAsync called by main at
int main() {
  int *pinned, *device;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocHost(&pinned, SIZE * 4);
  cudaMalloc(&device, 64);
  for (int i = 0; i < 8; ++i) pinned[i] = 1;
  cudaMemcpyAsync(device, pinned, 32, cudaMemcpyHostToDevice, stream);
  for (int i = 0; i < 8; ++i) pinned[i] = 2;  // too early
  cudaMemcpyAsync(device + 8, pinned, 32, cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  cudaFree(device);
  cudaFreeHost(pinned);
  cudaStreamDestroy(stream);
}
