// sm_90: clusters, mbarrier, bulk copies, distributed shared memory, a tensor map as a parameter.
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64)
    clusters(float* out, const float* source, const __grid_constant__ int4 parameter) {
  alignas(16) __shared__ float tile[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, source, cuda::aligned_size_t<16>(sizeof(tile)), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof(tile));
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  cluster.sync();
  float* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[threadIdx.x] = other[threadIdx.x] + static_cast<float>(parameter.y);
  cluster.sync();
}
