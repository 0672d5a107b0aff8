// Collectives of cooperative groups: reductions, scans, partitions and asynchronous copies. The
// defect: no cg::wait() after the copy.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../samples/common.h"

namespace cg = cooperative_groups;
constexpr int n = 512, kBlock = 128;

__global__ void sums(const int* in, int* total, int* prefix, bool defect) {
  __shared__ int tile[kBlock];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * kBlock, sizeof(int) * kBlock);
  if (!defect) cg::wait(block);
  const auto warp = cg::tiled_partition<32>(block);
  const int mine = tile[block.thread_rank()];  // finding here
  const int sum = cg::reduce(warp, mine, cg::plus<int>());
  prefix[blockIdx.x * kBlock + block.thread_rank()] = cg::exclusive_scan(warp, mine);
  const int largest = cg::reduce(warp, mine, cg::greater<int>());
  if (warp.thread_rank() == 0) {
    atomicAdd(total, sum);
    atomicMax(total + 1, largest);
  }
}

__global__ void groups(const int* keys, int* sizes, int* leaders, int* odd) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int key = keys[warp.thread_rank()];
  const auto same = cg::labeled_partition(warp, key);
  sizes[warp.thread_rank()] = static_cast<int>(same.size());
  if (same.thread_rank() == 0) leaders[key] = static_cast<int>(warp.thread_rank());
  const auto half = cg::binary_partition(warp, key % 2 == 1);
  const int half_size = cg::reduce(half, 1, cg::plus<int>());
  if (key % 2 == 1) {
    const cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) odd[0] = static_cast<int>(active.size());
    odd[1 + active.thread_rank()] = active.shfl(half_size, 0);
  }
  const auto tile = cg::tiled_partition<8>(warp);
  const bool has_three = tile.any(key == 3);
  const int next = tile.shfl_down(key, 1);
  if (has_three && tile.meta_group_rank() == 0) odd[16 + tile.thread_rank()] = next;
}

int main(int argc, char** argv) {
  const Timing timing;
  int *in, *total, *prefix, *sizes, *leaders, *odd;
  CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CHECK(cudaMallocManaged(&total, 2 * sizeof(int)));
  CHECK(cudaMallocManaged(&prefix, n * sizeof(int)));
  CHECK(cudaMallocManaged(&sizes, 32 * sizeof(int)));
  CHECK(cudaMallocManaged(&leaders, 5 * sizeof(int)));
  CHECK(cudaMallocManaged(&odd, 32 * sizeof(int)));
  total[0] = total[1] = 0;
  for (int i = 0; i < n; ++i) in[i] = i;
  sums<<<n / kBlock, kBlock>>>(in, total, prefix, has_defect(argc, argv));
  CHECK(cudaDeviceSynchronize());
  const bool right = total[0] == n * (n - 1) / 2 && total[1] == n - 1 && prefix[35] == 32 + 33 + 34;
  for (int i = 0; i < 32; ++i) in[i] = i % 5;
  groups<<<1, 32>>>(in, sizes, leaders, odd);
  CHECK(cudaDeviceSynchronize());
  const bool grouped = sizes[0] == 7 && sizes[2] == 6 && leaders[4] == 4 && odd[0] == 13 &&
                       odd[1] == 13 && odd[17] == 2;
  std::puts(right && grouped ? "correct" : "wrong");
  for (int* one : {in, total, prefix, sizes, leaders, odd}) CHECK(cudaFree(one));
}
