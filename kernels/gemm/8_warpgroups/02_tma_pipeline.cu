// One warp copies tiles into a ring of four stages through tensor maps. Two warpgroups multiply
// them, each 64 rows of the tile of C, and release the stages. Two mbarrier objects guard a stage:
// `full` completes when its bytes have arrived, `empty` when both warpgroups have read them.
#include "../sgemm.cuh"
#include "bulk.cuh"
#include "wgmma.cuh"

constexpr int kGroups = 2;  // warpgroups that multiply
constexpr int kRows = kGroups * wgmma::rows;
constexpr int kColumns = wgmma::columns;
constexpr int kDepth = 64;  // columns of A in a stage: 128 bytes, which the swizzle spans
constexpr int kStages = 4;
constexpr int kConsumers = kGroups * wgmma::threads;

template <typename T>
struct Stage {
  T a[kRows][kDepth];
  T b[kColumns][kDepth];
};

template <typename T>
struct Pipeline {
  Stage<T> stages[kStages];
  uint64_t full[kStages];
  uint64_t empty[kStages];
};

template <typename T>
__global__ void __launch_bounds__(kConsumers + 32)
    hgemm_tma_wgmma(const __grid_constant__ CUtensorMap map_a,
                    const __grid_constant__ CUtensorMap map_b, float* c, int m, int n, int k,
                    int ldc, float alpha, float beta) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& pipeline = *reinterpret_cast<Pipeline<T>*>(memory);
  uint64_t* const full = pipeline.full;
  uint64_t* const empty = pipeline.empty;
  const sgemm::TileOrigin origin = sgemm::tile_origin<kRows, kColumns>(n);
  const int steps = (k - 1) / kDepth + 1;

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      bulk::init(&full[stage], 1);
      bulk::init(&empty[stage], kGroups);
    }
    bulk::fence_init();
  }
  __syncthreads();

  if (threadIdx.x >= kConsumers) {
    if (threadIdx.x != kConsumers) return;
    for (int step = 0; step < steps; ++step) {
      const int stage = step % kStages;
      Stage<T>& tiles = pipeline.stages[stage];
      bulk::wait(&empty[stage], (step / kStages + 1) % 2);
      bulk::expect_bytes(&full[stage], sizeof(Stage<T>));
      bulk::load(tiles.a, map_a, step * kDepth, origin.row, &full[stage]);
      bulk::load(tiles.b, map_b, step * kDepth, origin.column, &full[stage]);
    }
    return;
  }

  const int group = threadIdx.x / wgmma::threads;
  float sums[wgmma::sums] = {};
  for (int step = 0; step < steps; ++step) {
    const int stage = step % kStages;
    const Stage<T>& tiles = pipeline.stages[stage];
    bulk::wait(&full[stage], step / kStages % 2);
    wgmma::fence();
    for (int along_k = 0; along_k < kDepth; along_k += wgmma::depth) {
      wgmma::multiply<T, 0>(sums,
                            wgmma::swizzled_descriptor(&tiles.a[group * wgmma::rows][along_k]),
                            wgmma::swizzled_descriptor(&tiles.b[0][along_k]));
    }
    wgmma::commit();
    wgmma::wait<0>();
    if (threadIdx.x % wgmma::threads == 0) bulk::arrive(&empty[stage]);
  }

  for (int i = 0; i < wgmma::sums; ++i) {
    const int row = origin.row + group * wgmma::rows + wgmma::row_of(i);
    const int column = origin.column + wgmma::column_of(i);
    if (row >= m || column >= n) continue;
    sgemm::update(&c[size_t(row) * ldc + column], sums[i], alpha, beta);
  }
}
