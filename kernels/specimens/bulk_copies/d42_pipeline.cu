// C = A B by one producer warp, which fills a ring of four stages with tiles, and two consumer
// groups, each of which computes half of the rows of a 32 x 32 tile. Every line of synchronisation
// is in LINE(number, code): a variant omits one of them, or
// replaces it by a wrong one.
#include "../../gemm/8_warpgroups/bulk.cuh"

#define LINE(number, code) \
  if constexpr (omitted != number) code
#define CHOOSE(number, wrong, right) (omitted == number ? (wrong) : (right))

constexpr int kTile = 32;  // rows and columns of C
constexpr int kDepth = 8;  // terms of the inner dimension per stage
constexpr int kStages = 4;
constexpr int kConsumers = 128;  // threads, in two groups
constexpr int kProducers = 32;
constexpr int kBytes = (kTile * kDepth + kDepth * kTile) * sizeof(float);  // bytes of a stage

template <int omitted>  // 0: none
__global__ void d42_pipeline(const __grid_constant__ CUtensorMap map_a,
                             const __grid_constant__ CUtensorMap map_b,
                             const __grid_constant__ CUtensorMap map_c, int k) {
  __shared__ alignas(128) float a[kStages][kTile][kDepth];
  __shared__ alignas(128) float b[kStages][kDepth][kTile];
  __shared__ alignas(128) float c[kTile][kTile];
  __shared__ uint64_t full[kStages];
  __shared__ uint64_t empty[kStages];
  const int row = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  const int steps = (k + kDepth - 1) / kDepth;

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      bulk::init(&full[stage], CHOOSE(1, 2, 1));
      bulk::init(&empty[stage], CHOOSE(2, kConsumers / 2, kConsumers));
    }
    bulk::fence_init();
  }
  LINE(3, __syncthreads());

  if (threadIdx.x < kProducers) {
    if (threadIdx.x != 0) return;
    for (int step = 0; step < steps; ++step) {
      const int stage = step % kStages;
      const int round = step / kStages;
      LINE(4, bulk::wait(&empty[stage], CHOOSE(5, round, round + 1) % 2));  // finding here
      LINE(6,
           bulk::expect_bytes(&full[stage], CHOOSE(7, kBytes / 2, CHOOSE(8, 2 * kBytes, kBytes))));
      bulk::load(a[stage], map_a, step * kDepth, row, &full[stage]);     // finding here
      bulk::load(b[stage], map_b, column, step * kDepth, &full[stage]);  // finding here
    }
    return;
  }

  const int thread = threadIdx.x - kProducers;
  const int x = thread % kTile;
  const int y = thread / kTile;
  float sums[kTile / 4] = {};
  for (int step = 0; step < steps; ++step) {
    const int stage = step % kStages;
    LINE(9, bulk::wait(&full[stage], CHOOSE(10, 0, step / kStages % 2)));  // finding here
    for (int p = 0; p < kDepth; ++p) {
      for (int i = 0; i < kTile / 4; ++i) {
        sums[i] += a[stage][y + 4 * i][p] * b[stage][p][x];  // finding here
      }
    }
    LINE(11, bulk::arrive(&empty[stage]));
  }
  for (int i = 0; i < kTile / 4; ++i) c[y + 4 * i][x] = sums[i];  // finding here
  LINE(12, bulk::fence_proxies());
  LINE(13, bulk::synchronize(1, kConsumers));
  if (thread != 0) return;
  bulk::store(map_c, column, row, c);  // finding here
  LINE(14, bulk::commit());
  LINE(15, bulk::wait_until_read());
}
