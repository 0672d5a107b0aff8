// Atomics of libcu++ on 1 and 2 bytes, which access the word around their object, neither race with
// stores to the bytes beside it nor read them.
// exits: 0
// build: -arch=sm_80 -std=c++17
// prints: 192 7 7 65; 96 9; 1
// prints: 0 findings
#include <cstdio>
#include <cuda/atomic>

template <typename T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

__global__ void kernel(unsigned char* bytes, unsigned short* shorts, int* seen) {
  __shared__ unsigned char own[4];  // own[1] and own[3] are undefined at first
  __shared__ unsigned short ready[2];
  __shared__ int data;
  if (threadIdx.x == 0) own[0] = ready[0] = 0;
  __syncthreads();
  if (threadIdx.x == 0) own[1] = bytes[1] = 7;
  if (threadIdx.x == 1) shorts[1] = 9;
  if (threadIdx.x == 2) {
    data = 1;
    Ref<unsigned short>(ready[0]).fetch_add(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 3) {
    while (Ref<unsigned short>(ready[0]).load(cuda::memory_order_acquire) == 0) {
    }
    seen[0] = data;
  }
  if (threadIdx.x < 32) return;
  Ref<unsigned char>(bytes[0]).fetch_add(2);
  Ref<unsigned char>(bytes[2]).store(5);
  Ref<unsigned char>(bytes[2]).fetch_or(2);
  Ref<unsigned short>(shorts[0]).fetch_add(1, cuda::memory_order_relaxed);
  Ref<unsigned char>(own[0]).fetch_add(1);
  unsigned char expected = 64;
  Ref<unsigned char>(bytes[3]).compare_exchange_strong(expected, 65);
  seen[threadIdx.x] = Ref<unsigned char>(bytes[0]).load() + Ref<unsigned char>(own[0]).load();
}

int main() {
  unsigned char *bytes, host_bytes[4] = {0, 0, 0, 64};
  unsigned short *shorts, host_shorts[2];
  int *seen, host_seen;
  cudaMalloc(&bytes, 4);
  cudaMalloc(&shorts, 4);
  cudaMalloc(&seen, 128 * sizeof(int));
  cudaMemcpy(bytes, host_bytes, 1, cudaMemcpyDefault);  // bytes[1] and shorts[1] stay undefined
  cudaMemcpy(bytes + 2, host_bytes + 2, 2, cudaMemcpyDefault);
  cudaMemset(shorts, 0, 2);
  kernel<<<1, 128>>>(bytes, shorts, seen);
  cudaMemcpy(host_bytes, bytes, 4, cudaMemcpyDefault);
  cudaMemcpy(host_shorts, shorts, 4, cudaMemcpyDefault);
  cudaMemcpy(&host_seen, seen, 4, cudaMemcpyDefault);
  std::printf("%d %d %d %d; %d %d; %d\n", host_bytes[0], host_bytes[1], host_bytes[2],
              host_bytes[3], host_shorts[0], host_shorts[1], host_seen);
}
