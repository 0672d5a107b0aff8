// The host writes to a part of the destination of an asynchronous copy before it waits.
// exits: 1
// prints: error[race]
// prints: the host writes byte 400 of
// prints: which cudaMemcpyAsync
int main() {
  int *pinned, *device;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocHost(&pinned, 8192);
  cudaMalloc(&device, 8192);
  cudaMemset(device, 0, 8192);
  cudaMemcpyAsync(pinned + 100, device, 32, cudaMemcpyDeviceToHost, stream);
  pinned[100] = 1;
  cudaStreamSynchronize(stream);
  return 0;
}
