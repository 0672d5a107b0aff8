// Asynchronous copies, pipelines and barriers in shared memory. The PTX beside this file is the
// output of nvcc 13.0, -std=c++17.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

extern "C" __global__ void primitives(const int* in, int* out) {
  __shared__ __align__(16) int tile[1024];
  __shared__ __mbarrier_t object;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&object, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&tile[4 * t], &in[4 * t], 16);
  __pipeline_memcpy_async(&tile[4 * t], &in[4 * t], 16, t % 16);
  __pipeline_memcpy_async(&tile[2 * t], &in[2 * t], 8);
  __pipeline_memcpy_async(&tile[2 * t], &in[2 * t], 8, 4);
  __pipeline_memcpy_async(&tile[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(3);
  __pipeline_arrive_on(&object);
  const __mbarrier_token_t token = __mbarrier_arrive(&object);
  out[t] = static_cast<int>(__mbarrier_token_pending_count(token));
  while (!__mbarrier_test_wait(&object, token)) {
  }
  (void)__mbarrier_arrive_and_drop(&object);
  __syncthreads();
  if (t == 0) __mbarrier_inval(&object);
}

extern "C" __global__ void barriers(const int* in, int* out) {
  __shared__ __align__(16) int tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  const int t = threadIdx.x;
  if (t == 0) init(&all, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[t], &in[t], sizeof(int), all);
  all.arrive_and_wait();
  out[t] = tile[t ^ 1];
  cuda::memcpy_async(cg::this_thread_block(), tile, in, cuda::aligned_size_t<16>(512), all);
  auto token = all.arrive(1);
  all.wait(cuda::std::move(token));
  out[t] += tile[t ^ 1];
  all.arrive_and_drop();
}

template <class... Role>
__device__ void run_pipeline(const int* in, int* out, Role... role) {
  __shared__ __align__(16) int tile[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state, role...);
  const int t = threadIdx.x;
  const bool roles = sizeof...(role) != 0;
  for (int step = 0; step < 4; ++step) {
    if (!roles || t < 32) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tile[step % 2][t], &in[128 * step + t], sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    if (!roles || t >= 32) {
      pipeline.consumer_wait();
      out[t] += tile[step % 2][t ^ 1];
      pipeline.consumer_release();
    }
  }
}
extern "C" __global__ void block_pipeline(const int* in, int* out) { run_pipeline(in, out); }
extern "C" __global__ void pipeline_of_roles(const int* in, int* out) {
  run_pipeline(in, out,
               threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
}
extern "C" __global__ void thread_pipeline(const int* in, int* out) {
  __shared__ __align__(16) int tile[128];
  auto pipeline = cuda::make_pipeline();
  const int t = threadIdx.x;
  pipeline.producer_acquire();
  cuda::memcpy_async(&tile[t], &in[t], sizeof(int), pipeline);
  pipeline.producer_commit();
  cuda::pipeline_consumer_wait_prior<2>(pipeline);
  pipeline.consumer_wait();
  out[t] = tile[t];
  pipeline.consumer_release();
}

extern "C" __global__ void groups(const int* in, int* out) {
  __shared__ __align__(16) int tile[256];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, 500);
  cg::wait(block);
  const auto warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(warp, tile + 128, in, cuda::aligned_size_t<16>(128));
  cg::wait_prior<1>(warp);
  cg::wait(warp);
  out[threadIdx.x] = tile[threadIdx.x];
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void instructions(const int* in, int* out) {
  namespace ptx = cuda::ptx;
  __shared__ __align__(16) int tile[128];
  __shared__ std::uint64_t object;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&object, 8);
  __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 512u, &object);
    const auto state = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                                      ptx::space_shared, &object, 512u);
    while (!ptx::mbarrier_try_wait(&object, state)) {
    }
    while (!ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, &object, state, 100u)) {
    }
    while (!ptx::mbarrier_test_wait(ptx::sem_acquire, ptx::scope_cluster, &object, state)) {
    }
    while (!ptx::mbarrier_test_wait(ptx::sem_relaxed, ptx::scope_cta, &object, state)) {
    }
  }
  (void)ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &object, 2u);
  (void)ptx::mbarrier_arrive(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &object);
  (void)ptx::mbarrier_arrive_no_complete(&object, 1u);
  ptx::cp_async_mbarrier_arrive(&object);
  ptx::cp_async_mbarrier_arrive_noinc(&object);
  ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &object, 16u);
  while (!ptx::mbarrier_try_wait_parity(&object, 0)) {
  }
  while (!ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cta, &object, 0)) {
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_relaxed, ptx::scope_cta, &object, 0, 50u)) {
  }
  out[t] = tile[t];
}
#endif
