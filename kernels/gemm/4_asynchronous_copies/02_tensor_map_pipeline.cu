// Tiles of 128 x 256, 8 x 16 sums per thread. One thread copies whole tiles of A and B through
// tensor maps into a ring of three stages, while the others multiply.
#include "../8_warpgroups/bulk.cuh"
#include "../sgemm.cuh"

constexpr int kRows = 128;
constexpr int kColumns = 256;
constexpr int kDepth = 32;  // columns of A in a stage: 128 bytes, which the swizzle spans
constexpr int kStages = 3;
constexpr int kThreads = 256;
constexpr int kWarpTile = 64;  // a warp has 64 x 64 sums, its lanes are 8 x 4
constexpr int kLanesDown = 8;
constexpr int kLanesAcross = 4;
constexpr int kDown = kWarpTile / kLanesDown;      // rows of a thread
constexpr int kAcross = kWarpTile / kLanesAcross;  // its columns, four by four
constexpr int kWarpsAcross = kColumns / kWarpTile;

struct Stage {
  float a[kRows][kDepth];
  float b[kDepth][kColumns];
};

struct Shared {
  Stage stages[kStages];
  uint64_t full[kStages];
  uint64_t empty[kStages];
};

__device__ __forceinline__ float element(const float4& four, int i) {
  return reinterpret_cast<const float*>(&four)[i];
}

/// Four elements of A along k, from a multiple of four on. Units of 16 bytes are swizzled.
__device__ __forceinline__ float4 a_unit(const Stage& stage, int row, int k) {
  return *reinterpret_cast<const float4*>(&stage.a[row][(k / 4 ^ row % 8) * 4]);
}

/// The sums of one column follow each other, down and up in turn: neighbours share a factor, which
/// the multiprocessor then reads from its register file only once.
__device__ __forceinline__ void multiply_stage(float (&sums)[kDown][kAcross], const Stage& stage,
                                               int row, int column) {
#pragma unroll 4
  for (int k = 0; k < kDepth; k += 4) {
    float4 a[kDown];
#pragma unroll
    for (int i = 0; i < kDown; ++i) a[i] = a_unit(stage, row + i * kLanesDown, k);
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      float4 b[kAcross / 4];
#pragma unroll
      for (int j = 0; j < kAcross / 4; ++j) {
        b[j] = *reinterpret_cast<const float4*>(&stage.b[k + step][column + j * 4 * kLanesAcross]);
      }
#pragma unroll
      for (int j = 0; j < kAcross; ++j) {
#pragma unroll
        for (int count = 0; count < kDown; ++count) {
          const int i = j % 2 == 0 ? count : kDown - 1 - count;
          sums[i][j] = fmaf(element(a[i], step), element(b[j / 4], j % 4), sums[i][j]);
        }
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads, 1)
    sgemm_tensor_map_pipeline(const __grid_constant__ CUtensorMap map_a,
                              const __grid_constant__ CUtensorMap map_b, float* c, int m, int n,
                              int k, int ldc, float alpha, float beta) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<Shared*>(memory);
  const sgemm::TileOrigin origin = sgemm::tile_origin<kRows, kColumns>(n);
  const int steps = (k - 1) / kDepth + 1;

  const auto copy = [&](int step) {
    const int stage = step % kStages;
    bulk::expect_bytes(&shared.full[stage], sizeof(Stage));
    bulk::load(shared.stages[stage].a, map_a, step * kDepth, origin.row, &shared.full[stage]);
    bulk::load(shared.stages[stage].b, map_b, origin.column, step * kDepth, &shared.full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      bulk::init(&shared.full[stage], 1);
      bulk::init(&shared.empty[stage], kThreads / 32);
    }
    bulk::fence_init();
    copy(0);
  }
  __syncthreads();

  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = warp / kWarpsAcross * kWarpTile + lane / kLanesAcross;
  const int column = warp % kWarpsAcross * kWarpTile + lane % kLanesAcross * 4;
  float sums[kDown][kAcross] = {};
  for (int step = 0; step < steps; ++step) {
    if (threadIdx.x == 0 && step + 1 < steps) {
      const int next = step + 1;
      if (next >= kStages) bulk::wait(&shared.empty[next % kStages], (next / kStages - 1) % 2);
      copy(next);
    }
    bulk::wait(&shared.full[step % kStages], step / kStages % 2);
    multiply_stage(sums, shared.stages[step % kStages], row, column);
    __syncwarp();
    if (lane == 0) bulk::arrive(&shared.empty[step % kStages]);
  }

#pragma unroll
  for (int i = 0; i < kDown; ++i) {
    const int c_row = origin.row + row + i * kLanesDown;
    if (c_row >= m) break;
#pragma unroll
    for (int j = 0; j < kAcross; j += 4) {
      const int c_column = origin.column + column + j * kLanesAcross;
      sgemm::update4(c + size_t(c_row) * ldc + c_column, n - c_column,
                     make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]), alpha,
                     beta);
    }
  }
}
