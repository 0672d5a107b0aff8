// Stream-ordered allocations of a pool that two streams share. The defect: the memory is freed in
// one stream without waiting for the kernel of the other.
#include "../samples/common.h"

constexpr int n = 256;

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }
__global__ void sum(const int* data, int* total) { atomicAdd(total, data[threadIdx.x]); }

int main(int argc, char** argv) {
  const Timing timing;
  cudaStream_t a, b;
  CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  std::uint64_t threshold = ~std::uint64_t{0};
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  int* total;
  CHECK(cudaMallocAsync(&total, sizeof(int), a));
  CHECK(cudaMemsetAsync(total, 0, sizeof(int), a));
  cudaEvent_t filled, summed;
  CHECK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&summed, cudaEventDisableTiming));
  for (int i = 0; i < 3; ++i) {
    int* data;
    CHECK(cudaMallocFromPoolAsync(&data, n * sizeof(int), pool, a));
    fill<<<1, n, 0, a>>>(data, i);
    CHECK(cudaEventRecord(filled, a));
    CHECK(cudaStreamWaitEvent(b, filled, 0));
    sum<<<1, n, 0, b>>>(data, total);
    CHECK(cudaEventRecord(summed, b));
    if (!has_defect(argc, argv)) CHECK(cudaStreamWaitEvent(a, summed, 0));
    CHECK(cudaFreeAsync(data, a));  // finding here
  }
  CHECK(cudaStreamWaitEvent(a, summed, 0));
  int result = 0;
  CHECK(cudaMemcpyAsync(&result, total, sizeof result, cudaMemcpyDeviceToHost, a));
  CHECK(cudaFreeAsync(total, a));
  CHECK(cudaStreamSynchronize(a));
  std::puts(result == 3 * n ? "correct" : "wrong");
  CHECK(cudaMemPoolTrimTo(pool, 0));
  CHECK(cudaMemPoolDestroy(pool));
  CHECK(cudaEventDestroy(filled));
  CHECK(cudaEventDestroy(summed));
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
}
