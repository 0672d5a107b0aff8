// Tiles of cooperative groups with more than one warp, which use the system's shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

extern "C" __global__ void f(const unsigned* in, unsigned* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<64>(block);
  const unsigned sum = cg::reduce(tile, in[threadIdx.x], cg::plus<unsigned>());
  out[threadIdx.x] = sum;
}
