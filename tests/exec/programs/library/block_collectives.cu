// A block sorts, ranks and sums with CUB's block algorithms, which share their storage. The defect:
// no barrier before the storage is used again.
#include <cub/cub.cuh>

#include "../samples/common.h"

constexpr int kThreads = 128, kItems = 4, n = kThreads * kItems;
using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
using Scan = cub::BlockScan<int, kThreads>;
using Difference = cub::BlockDiscontinuity<int, kThreads>;
using Reduce = cub::BlockReduce<int, kThreads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;

__global__ void distinct(const int* in, int* sorted, int* ranks, int* total, bool defect) {
  __shared__ union {
    Load::TempStorage load;
    Sort::TempStorage sort;
    Scan::TempStorage scan;
    Difference::TempStorage difference;
    Reduce::TempStorage reduce;
  } storage;
  int items[kItems], heads[kItems], places[kItems];
  Load(storage.load).Load(in, items);
  __syncthreads();
  Sort(storage.sort).Sort(items);
  __syncthreads();
  Difference(storage.difference).FlagHeads(heads, items, cuda::std::not_equal_to<>{});
  __syncthreads();
  Scan(storage.scan).InclusiveSum(heads, places);
  if (!defect) __syncthreads();
  int last = 0;
  for (int i = 0; i < kItems; ++i) last += heads[i];
  const int count = Reduce(storage.reduce).Sum(last);  // finding here
  for (int i = 0; i < kItems; ++i) {
    sorted[threadIdx.x * kItems + i] = items[i];
    ranks[threadIdx.x * kItems + i] = places[i];
  }
  if (threadIdx.x == 0) *total = count;
}

int main(int argc, char** argv) {
  const Timing timing;
  int *in, *sorted, *ranks, *total;
  CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CHECK(cudaMallocManaged(&sorted, n * sizeof(int)));
  CHECK(cudaMallocManaged(&ranks, n * sizeof(int)));
  CHECK(cudaMallocManaged(&total, sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = i * 37 % 100;
  distinct<<<1, kThreads>>>(in, sorted, ranks, total, has_defect(argc, argv));
  CHECK(cudaDeviceSynchronize());
  bool right = *total == 100 && ranks[n - 1] == 100;
  for (int i = 1; i < n; ++i) right = right && sorted[i - 1] <= sorted[i];
  std::puts(right ? "correct" : "wrong");
  for (int* one : {in, sorted, ranks, total}) CHECK(cudaFree(one));
}
