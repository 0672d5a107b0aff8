// Cooperative groups. `out` holds zeros; the kernels store the result in its element 2.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// Every thread adds the values that all blocks stored before the barrier of the grid, three times.
extern "C" __global__ void grid_sync(int* out) {
  const cg::grid_group grid = cg::this_grid();
  int sum = 0;
  for (int round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) out[16 + blockIdx.x] = round * int(blockIdx.x);
    grid.sync();
    for (int i = 0; i < gridDim.x; ++i) sum += out[16 + i];
    grid.sync();
  }
  if (grid.thread_rank() == 0) out[2] = sum;
}

// Each thread counts its correct results.
extern "C" __global__ void tiles(int* out) {
  const auto block = cg::this_thread_block();
  const int me = block.thread_rank();
  const auto tile = cg::tiled_partition<8>(block);
  const int first = me / 8 * 8;
  int right = cg::reduce(tile, me, cg::plus<int>()) == 8 * first + 28;
  right += cg::reduce(tile, me, cg::greater<int>()) == first + 7;
  right += cg::exclusive_scan(tile, 1, cg::plus<int>()) == me % 8;
  right += cg::inclusive_scan(tile, me - first, cg::plus<int>()) == (me % 8) * (me % 8 + 1) / 2;
  right += tile.shfl(me, 3) == first + 3;
  right += tile.shfl_xor(me, 1) == (me ^ 1);
  right += tile.any(me % 8 == 5) && !tile.all(me % 8 == 5);
  const auto half = cg::tiled_partition<16>(block);
  right += half.ballot(me % 16 < 4) == 15;
  const auto inner = cg::tiled_partition<4>(half);
  right += inner.meta_group_size() == 4 && cg::reduce(inner, 1, cg::plus<int>()) == 4;
  const auto threes = cg::labeled_partition(cg::coalesced_threads(), me % 3);
  right += cg::reduce(threes, 1, cg::plus<int>()) == threes.size();
  const auto odd = cg::binary_partition(tile, me % 2 == 1);
  right += odd.size() == 4 && cg::reduce(odd, me - first, cg::plus<int>()) == (me % 2 ? 16 : 12);
  if (me % 4 == 1) {
    const auto some = cg::coalesced_threads();
    right += some.size() == 8 && some.shfl(me, 0) == me / 32 * 32 + 1;
  } else {
    right += 1;
  }
  block.sync();
  atomicAdd(&out[2], right);
}
