// Cooperative groups: the barrier of a group orders its members and no other thread.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void sync_of_the_block(const int* in, int* out) {
  __shared__ int data[128];
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  data[t] = 0;
  __syncthreads();
  data[t] = in[t];  // races
  if (ordered) block.sync();
  out[t] = data[127 - t];  // races
}

extern "C" __global__ void sync_of_a_tile(const int* in, int* out) {
  __shared__ int data[128];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x;
  data[t] = 0;
  __syncthreads();
  data[t] = in[t];  // races
  if (ordered) tile.sync();
  out[t] = data[t ^ 15];  // races
}

// A tile of 16 does not order the two halves of its warp.
extern "C" __global__ void partner_in_the_same_tile(const int* in, int* out) {
  __shared__ int data[128];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x;
  data[t] = 0;
  __syncthreads();
  data[t] = in[t];  // races
  tile.sync();
  out[t] = data[ordered ? t ^ 8 : t ^ 16];  // races
}

extern "C" __global__ void sync_of_the_lanes_that_came(const int* in, int* out) {
  __shared__ int data[128];
  const int t = threadIdx.x;
  data[t] = 0;
  __syncthreads();
  if (t % 2 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    data[t] = in[t];  // races
    if (ordered) group.sync();
    out[t] = data[t ^ 2];  // races
  }
}

// A shuffle needs no barrier for the values it exchanges, but it does not order memory.
extern "C" __global__ void exchange_within_a_tile(const int* in, int* out) {
  __shared__ int data[128];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int t = threadIdx.x;
  data[t] = 0;
  __syncthreads();
  data[t] = in[t];  // races
  const int sum = tile.shfl_xor(in[t], 1);
  if (ordered) tile.sync();
  out[t] = sum + data[t ^ 1];  // races
}

extern "C" __global__ void sync_of_the_grid(const int* in, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const int all = static_cast<int>(grid.num_threads());
  out[i] = in[i];  // races
  if (ordered) {
    grid.sync();
  } else {
    cg::this_thread_block().sync();
  }
  out[512 + i] = out[all - 1 - i];  // races
}
