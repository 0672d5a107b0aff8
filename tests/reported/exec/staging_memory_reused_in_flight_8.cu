// The host overwrites the source of an asynchronous copy before it waits, in memory that the copy
// reads whole.
// build: -arch=sm_80 -DSIZE=8
// exits: 1
// prints: error[race]
// prints: which cudaMemcpyAsync
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
