// C = A B by clusters of two blocks of one row of tiles. The first block copies the tile of A to
// both; each releases it by arrivals at the first block. A variant omits one line, or replaces
// it by a wrong one.
#include "../../gemm/8_warpgroups/bulk.cuh"

#define LINE(number, code) \
  if constexpr (omitted != number) code
#define CHOOSE(number, wrong, right) (omitted == number ? (wrong) : (right))

constexpr int kTile = 32;  // rows and columns of C
constexpr int kDepth = 8;  // terms of the inner dimension per tile
constexpr int kThreads = 128;
constexpr int kBlocks = 2;  // blocks in a cluster
constexpr int kBytes = (kTile * kDepth + kDepth * kTile) * sizeof(float);

template <int omitted>  // 0: none
__global__ void d43_multicast(const __grid_constant__ CUtensorMap map_a,
                              const __grid_constant__ CUtensorMap map_b, float* c, int m, int n,
                              int k, int ldc) {
  __shared__ alignas(128) float a[kTile][kDepth];
  __shared__ alignas(128) float b[kDepth][kTile];
  __shared__ uint64_t full;
  __shared__ uint64_t empty;  // the first block's object counts the releases of both blocks
  const uint32_t rank = bulk::block_rank();
  const int row = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  const int steps = (k + kDepth - 1) / kDepth;

  if (threadIdx.x == 0) {
    bulk::init(&full, 1);
    bulk::init(&empty, kBlocks * kThreads);
    bulk::fence_init();
  }
  if constexpr (omitted == 1) __syncthreads();
  LINE(1, bulk::synchronize_cluster());

  const int x = threadIdx.x % kTile;
  const int y = threadIdx.x / kTile;
  float sums[kTile / 4] = {};
  for (int step = 0; step < steps; ++step) {
    if (threadIdx.x == 0) {
      bulk::expect_bytes(&full, kBytes);
      if (rank == 0) {
        LINE(2, bulk::wait_for_cluster(&empty, (step + 1) % 2));
        bulk::load_to_blocks(a, map_a, step * kDepth, row, &full,  // finding here
                             CHOOSE(3, 1, CHOOSE(4, 7, 3)));       // finding here
      }
      bulk::load(b, map_b, column, step * kDepth, &full);
    }
    bulk::wait(&full, step % 2);  // finding here
    for (int p = 0; p < kDepth; ++p) {
      for (int i = 0; i < kTile / 4; ++i) sums[i] += a[y + 4 * i][p] * b[p][x];  // finding here
    }
    __syncthreads();
    bulk::arrive_in_block(&empty, 0);  // finding here
  }
  for (int i = 0; i < kTile / 4; ++i) {
    if (row + y + 4 * i < m && column + x < n) {
      c[size_t(row + y + 4 * i) * ldc + column + x] = sums[i];
    }
  }
  LINE(5, bulk::synchronize_cluster());
}
