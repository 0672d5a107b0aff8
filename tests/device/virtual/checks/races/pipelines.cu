// cuda::pipeline and cooperative_groups::memcpy_async.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
constexpr auto block_scope = cuda::thread_scope_block;

// A thread's own pipeline of two stages: other threads read the copied data after a barrier.
extern "C" __global__ void thread_pipeline(const int* in, int* out) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  auto pipeline = cuda::make_pipeline();
  int sum = 0;
  pipeline.producer_acquire();
  cuda::memcpy_async(&tile[0][t], &in[t], sizeof(int), pipeline);
  pipeline.producer_commit();
  for (int step = 0; step < 6; ++step) {
    pipeline.producer_acquire();
    if (step < 5) {
      cuda::memcpy_async(&tile[(step + 1) % 2][t], &in[128 * (step + 1) + t], sizeof(int),  // races
                         pipeline);
    }
    pipeline.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipeline);
    __syncthreads();
    sum += tile[step % 2][127 - t];  // races
    if (ordered) __syncthreads();
    pipeline.consumer_release();
  }
  out[t] = sum;
}

// The wait leaves one stage too many in flight.
extern "C" __global__ void thread_pipeline_waits(const int* in, int* out) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  tile[0][t] = tile[1][t] = 0;
  __syncthreads();
  auto pipeline = cuda::make_pipeline();
  for (int stage = 0; stage < 2; ++stage) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tile[stage][t], &in[128 * stage + t], sizeof(int), pipeline);  // races
    pipeline.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<ordered ? 1 : 2>(pipeline);
  __syncthreads();
  out[t] = tile[0][127 - t];  // races
  cuda::pipeline_consumer_wait_prior<0>(pipeline);
}

// All threads of a block produce and consume. The release orders the reads of a stage before its
// refill.
extern "C" __global__ void block_pipeline(const int* in, int* out) {
  constexpr int stages = 2;
  __shared__ int tile[stages][128];
  __shared__ cuda::pipeline_shared_state<block_scope, stages> state;
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int stage = 0; stage < stages; ++stage) tile[stage][t] = 0;
  block.sync();
  int sum = 0;
  for (int step = 0; step < 6; ++step) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tile[step % stages][t], &in[128 * step + t], sizeof(int),  // races
                       pipeline);
    pipeline.producer_commit();
    if (ordered) {
      pipeline.consumer_wait();
      sum += tile[step % stages][127 - t];
    } else {
      sum += tile[step % stages][127 - t];  // races
      pipeline.consumer_wait();
    }
    pipeline.consumer_release();
  }
  out[t] = sum;
}

// A stage that is released before it is read may be refilled too early.
extern "C" __global__ void release_after_use(const int* in, int* out) {
  constexpr int stages = 1;
  __shared__ int tile[stages][128];
  __shared__ cuda::pipeline_shared_state<block_scope, stages> state;
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int stage = 0; stage < stages; ++stage) tile[stage][t] = 0;
  block.sync();
  int sum = 0;
  for (int step = 0; step < 6; ++step) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tile[step % stages][t], &in[128 * step + t], sizeof(int),  // races
                       pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    if (!ordered) pipeline.consumer_release();
    sum += tile[step % stages][127 - t];  // races
    if (ordered) pipeline.consumer_release();
  }
  out[t] = sum;
}

// The first warp produces, the others consume.
extern "C" __global__ void warps_with_roles(const int* in, int* out) {
  constexpr int stages = 2;
  __shared__ int tile[stages][32];
  __shared__ cuda::pipeline_shared_state<block_scope, stages> state;
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  const auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  if (t < 32) tile[0][t] = tile[1][t] = 0;
  block.sync();
  auto pipeline = cuda::make_pipeline(block, &state, role);
  if (t < 32) {
    for (int step = 0; step < 6; ++step) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tile[step % stages][t], &in[32 * step + t], sizeof(int),  // races
                         pipeline);
      pipeline.producer_commit();
    }
  } else {
    int sum = 0;
    for (int step = 0; step < 6; ++step) {
      pipeline.consumer_wait();
      const int stage = ordered ? step % stages : (step + 1) % stages;
      sum += tile[stage][t % 32];  // races
      pipeline.consumer_release();
    }
    out[t] = sum;
  }
}

// A copy by the whole group.
extern "C" __global__ void group_copies(const int* in, int* out) {
  __shared__ __align__(16) int tile[128];
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  tile[t] = 0;
  block.sync();
  cg::memcpy_async(block, tile, in, sizeof(int) * 128);  // races
  if (ordered) cg::wait(block);
  out[t] = tile[127 - t];  // races
  cg::wait(block);
}

// Tiles of a warp wait for their own copies only.
extern "C" __global__ void tile_copies(const int* in, int* out) {
  __shared__ __align__(16) int all[128];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int t = threadIdx.x;
  all[t] = 0;
  block.sync();
  int* const own = all + 32 * warp.meta_group_rank();
  cg::memcpy_async(warp, own, in, cuda::aligned_size_t<16>(128));  // races
  cg::wait(warp);
  out[t] = all[ordered ? t ^ 31 : t ^ 32];  // races
}
