// Atomics of libcu++ on 1 and 2 bytes, which the Toolkit implements by compare-and-swap on the word
// around them, are no races and read nothing undefined.
// exits: 0
// build: -arch=sm_80 -std=c++17
// prints: 64 256 128 7 1
// prints: 0 findings
#include <cstdio>
#include <cuda/atomic>

template <typename T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

struct Counters {
  cuda::atomic<unsigned char, cuda::thread_scope_device> bytes;
  cuda::atomic<short, cuda::thread_scope_device> shorts;
};

// Neighbours in a word are changed at the same time.
__global__ void count(unsigned char* bytes, unsigned short* shorts, Counters* counters) {
  Ref<unsigned char>(bytes[threadIdx.x % 4]).fetch_add(1);
  Ref<unsigned short>(shorts[threadIdx.x % 2]).fetch_add(2, cuda::memory_order_relaxed);
  counters->shorts.fetch_add(1);
  counters->bytes.fetch_or(static_cast<unsigned char>(1 << threadIdx.x % 3));
  unsigned char free = 0;
  Ref<unsigned char>(bytes[4]).compare_exchange_strong(free, 1);
}

int main() {
  unsigned char *bytes, host_bytes[8];
  unsigned short *shorts, host_shorts[2];
  Counters *counters, host_counters;
  cudaMalloc(&bytes, 8);
  cudaMalloc(&shorts, 4);
  cudaMalloc(&counters, sizeof(Counters));
  cudaMemset(bytes, 0, 8);
  cudaMemset(shorts, 0, 4);
  cudaMemset(counters, 0, sizeof(Counters));
  count<<<2, 128>>>(bytes, shorts, counters);
  cudaMemcpy(host_bytes, bytes, 8, cudaMemcpyDefault);
  cudaMemcpy(host_shorts, shorts, 4, cudaMemcpyDefault);
  cudaMemcpy(&host_counters, counters, sizeof(Counters), cudaMemcpyDefault);
  std::printf("%d %d %d %d %d\n", host_bytes[3], host_shorts[1], host_counters.shorts.load() / 2,
              host_counters.bytes.load(), host_bytes[4]);
}
