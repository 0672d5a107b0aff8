// The blocks of a cluster add up their histograms in the shared memory of the first one: each warp
// counts the numbers outside of the range with red.async, and each block adds its bins with
// cp.reduce.async.bulk. With DEFECT, the first block reads the bins before it waits for them.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kBlocks = 4;
constexpr int kThreads = 128;
constexpr int kBins = 64;

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ unsigned in_first_block(const void* pointer) {
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(address) : "r"(shared_address(pointer)));
  return address;
}

__device__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

__device__ void wait(const uint64_t* object) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(object))
        : "memory");
  }
}

__global__ void __cluster_dims__(kBlocks, 1, 1)
    count(const int* numbers, int n, int* totals, int* outside) {
  __shared__ alignas(16) int bins[kBins];  // bins that this block counts
  __shared__ alignas(16) int sums[kBins];  // sums of the cluster; those in the first block count
  __shared__ int rejected;
  __shared__ uint64_t added;
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) bins[i] = sums[i] = 0;
  if (threadIdx.x == 0) {
    rejected = 0;
    constexpr int kBytes = kBlocks * (sizeof sums + kThreads / 32 * sizeof rejected);
    asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(
                     shared_address(&added))
                 : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&added)),
                 "n"(kBytes)
                 : "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");  // the sums are zero for the bulk reductions
  cluster_barrier();
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    const int i = base + threadIdx.x;
    if (i < n && numbers[i] < kBins) atomicAdd(&bins[numbers[i]], 1);
  }
  int misses = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    misses += numbers[i] >= kBins;
  }
  misses = __reduce_add_sync(~0u, misses);
  if (threadIdx.x % 32 == 0) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s32 [%0], %1, "
        "[%2];" ::"r"(in_first_block(&rejected)),
        "r"(misses), "r"(in_first_block(&added))
        : "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32 "
        "[%0], [%1], %2, [%3];" ::"r"(in_first_block(sums)),
        "r"(shared_address(bins)), "n"(sizeof bins), "r"(in_first_block(&added))
        : "memory");
  }
  if (blockIdx.x == 0) {
#ifndef DEFECT
    wait(&added);
#endif
    if (threadIdx.x < kBins) totals[threadIdx.x] = sums[threadIdx.x];  // finding here
    wait(&added);
    if (threadIdx.x == 0) *outside = rejected;
  }
  cluster_barrier();  // the sources and the destination exist until the reductions are complete
}

int main() {
  constexpr int n = 3000;
  std::vector<int> numbers(n);
  std::vector<int> expected(kBins);
  int expected_outside = 0;
  for (int i = 0; i < n; ++i) {
    numbers[i] = i * i % 100;
    ++(numbers[i] < kBins ? expected[numbers[i]] : expected_outside);
  }
  int *device, *totals;
  cudaMalloc(&device, n * sizeof(int));
  cudaMalloc(&totals, (kBins + 1) * sizeof(int));
  cudaMemcpy(device, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count<<<kBlocks, kThreads>>>(device, n, totals, totals + kBins);
  std::vector<int> found(kBins + 1);
  cudaMemcpy(found.data(), totals, found.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  cudaFree(totals);
  expected.push_back(expected_outside);
  if (found != expected) return 7;
  std::puts("correct");
}
