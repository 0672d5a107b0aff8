// Warp-wide and atomic instructions, fences, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void warps(int* data, unsigned long long* total, float* sum, unsigned* flags) {
  int x = data[threadIdx.x];
  x += __shfl_xor_sync(0xffffffff, x, 16);
  x += __shfl_up_sync(0xffffffff, x, 1, 8);
  unsigned ballot = __ballot_sync(__activemask(), x > 3);
  if (__any_sync(0xffffffff, x == 5)) ballot ^= __match_any_sync(0xffffffff, x);
  int uniform;
  ballot += __match_all_sync(0xffffffff, x, &uniform);
  x += __reduce_add_sync(0xffffffff, x) + uniform;
  __syncwarp();
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  x += cg::reduce(tile, x, cg::plus<int>());
  block.sync();
  if (tile.thread_rank() == 0) atomicAdd(total, static_cast<unsigned long long>(x));
  atomicAdd(sum, static_cast<float>(ballot));
  atomicCAS(flags, 0u, 1u);
  atomicExch(flags + 1, 7u);
  atomicMax(data, x);
  atomicInc(flags + 2, 9u);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  if (__syncthreads_or(x > 9)) __nanosleep(100);
  long long begin = clock64();
  data[threadIdx.x] = x + static_cast<int>(clock64() - begin);
}
