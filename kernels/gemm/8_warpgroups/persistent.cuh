// A kernel whose blocks stay on their multiprocessor and multiply one tile of C after another. The
// two blocks of a cluster have the same columns: each copies half of B for both. One warpgroup
// copies, two multiply 64 x 256 sums each, and the copies of the next tile run while the sums of
// this one are stored. How a warpgroup multiplies is a parameter.
#pragma once

#include "bulk.cuh"
#include "wgmma.cuh"

namespace persistent {

constexpr int blocks = 2;  // blocks in a cluster
constexpr int groups = 2;  // warpgroups that multiply
constexpr int group_rows = 64;
constexpr int rows = groups * group_rows;
constexpr int columns = 256;
constexpr int line = 128;  // bytes of a stage along k, which the swizzle spans
constexpr int stages = 4;
constexpr int group_threads = 128;
constexpr int threads = (groups + 1) * group_threads;
constexpr int panel = 16;  // tiles of clusters in a column that run at about the same time
constexpr int sums = group_rows * columns / group_threads;  // elements of C per thread

/// The lines of A and of B's columns along k.
struct Stage {
  unsigned char a[rows][line];
  unsigned char b[columns][line];
};

/// 16 lines of C on their way to memory; a warp has two.
struct Chunk {
  unsigned char lines[16][line];
};

struct Shared {
  Stage stages[persistent::stages];
  Chunk chunks[groups * group_threads / 32][2];
  uint64_t full[persistent::stages];
  uint64_t empty[persistent::stages];
};

/// The stage of a step and the parity of its round; counts on over all tiles of the block.
struct Turn {
  int stage = 0;
  uint32_t parity = 0;
  __device__ void advance() {
    if (++stage < stages) return;
    stage = 0;
    parity ^= 1;
  }
};

/// The tiles of C that a cluster visits, panel after panel, so that clusters which run at the same
/// time read few different rows and columns.
struct Tiles {
  int down;
  int across;
  __device__ Tiles(int m, int n)
      : down((m - 1) / (blocks * rows) + 1), across((n - 1) / columns + 1) {}
  __device__ int first() const { return blockIdx.x / blocks; }
  __device__ int stride() const { return gridDim.x / blocks; }
  __device__ int count() const { return down * across; }
  /// First row of the block with this rank in its cluster, and first column.
  __device__ int2 origin(int tile, int rank) const {
    const int above = tile / (panel * across) * panel;
    const int height = min(panel, down - above);
    const int inside = tile - above * across;
    return {((above + inside % height) * blocks + rank) * rows, inside / height * columns};
  }
};

template <typename T>
__device__ void copy_tiles(Shared& shared, const CUtensorMap& map_a, const CUtensorMap& map_b,
                           const Tiles& tiles, int steps, int rank) {
  constexpr int half = columns / blocks;
  Turn turn;
  for (int tile = tiles.first(); tile < tiles.count(); tile += tiles.stride()) {
    const int2 origin = tiles.origin(tile, rank);
    for (int step = 0; step < steps; ++step, turn.advance()) {
      Stage& stage = shared.stages[turn.stage];
      uint64_t* const full = &shared.full[turn.stage];
      const int along_k = step * (line / int(sizeof(T)));
      bulk::wait_for_cluster(&shared.empty[turn.stage], turn.parity ^ 1);
      bulk::expect_bytes(full, sizeof(Stage));
      bulk::load(stage.a, map_a, along_k, origin.x, full);
      bulk::load_to_blocks(stage.b[rank * half], map_b, along_k, origin.y + rank * half, full,
                           (1 << blocks) - 1);
    }
  }
}

/// Reports to the producers of all blocks of the cluster that `thread` and those for which it
/// stands have read the stage.
__device__ __forceinline__ void release(Shared& shared, int stage, unsigned thread) {
  if (thread < blocks) bulk::arrive_after_reads(&shared.empty[stage], thread);
}

/// C as the epilogue of BLAS reads it.
template <typename C, typename Sum>
struct Output {
  const C* elements;
  int rows;
  int columns;
  int leading_dimension;
  Sum alpha;
  Sum beta;
  /// The new element. A zero alpha hides NaN in A and B; with a zero beta c is not read.
  __device__ C updated(Sum sum, int row, int column) const {
    Sum value = alpha == Sum(0) ? Sum(0) : alpha * sum;
    if (beta != Sum(0) && row < rows && column < columns) {
      value += beta * Sum(elements[size_t(row) * leading_dimension + column]);
    }
    return C(value);
  }
};

__device__ __forceinline__ void store_matrices(void* row, const unsigned (&values)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   bulk::shared_address(row)),
               "r"(values[0]), "r"(values[1]), "r"(values[2]), "r"(values[3])
               : "memory");
}

/// Stores the lane's part of 16 x 16 elements: two neighbours of row lane / 4, two of eight rows
/// on, and the same eight columns on. The 16-byte units of a line are swizzled.
template <typename C>
__device__ __forceinline__ void store_block(Chunk& chunk, int unit, const C (&values)[8]) {
  const int lane = threadIdx.x % 32;
  if constexpr (sizeof(C) == 2) {
    // Lane l has the address of row l % 8 of matrix l / 8.
    const int swizzled = (unit + lane / 16) ^ (lane % 8);
    const auto pairs = reinterpret_cast<const unsigned*>(values);
    store_matrices(&chunk.lines[lane % 16][swizzled * 16],
                   {pairs[0], pairs[1], pairs[2], pairs[3]});
  } else {
#pragma unroll
    for (int i = 0; i < 8; i += 2) {
      const int row = lane / 4 + i / 2 % 2 * 8;
      const int swizzled = (unit + i / 4 * 2 + lane % 4 / 2) ^ (row % 8);
      *reinterpret_cast<uint2*>(&chunk.lines[row][swizzled * 16 + lane % 2 * 8]) =
          *reinterpret_cast<const uint2*>(&values[i]);
    }
  }
}

/// Stores the sums of a warp through shared memory, 16 lines of 128 bytes at a time.
template <typename Engine, typename C, typename Sum>
__device__ void store_sums(Chunk (&chunks)[2], const CUtensorMap& map_c, const Output<C, Sum>& c,
                           const Sum (&s)[sums], int2 group_origin) {
  constexpr int width = line / sizeof(C);
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int part = 0; part < 2 * sums / width; ++part) {
    Chunk& chunk = chunks[part % 2];
    const int2 offset = Engine::origin_of(part * width);
    const int2 origin{group_origin.x + offset.x, group_origin.y + offset.y};
    if (lane == 0) bulk::wait_until_read<1>();
    __syncwarp();
#pragma unroll
    for (int column = 0; column < width; column += 16) {
      alignas(8) C values[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        values[i] =
            c.updated(s[(part * width + column) / 2 + i], origin.x + lane / 4 + i / 2 % 2 * 8,
                      origin.y + column + i / 4 * 8 + lane % 4 * 2 + i % 2);
      }
      store_block(chunk, column * int(sizeof(C)) / 16, values);
    }
    bulk::fence_proxies();
    __syncwarp();
    if (lane == 0) {
      bulk::store(map_c, origin.y, origin.x, &chunk);
      bulk::commit();
    }
  }
}

/// Engine::multiply_tile adds the products of a tile's steps to a thread's sums and releases the
/// stages; Engine::origin_of(i) is the first row and column, in the 64 x 256 sums of the warpgroup,
/// of the 16 x 16 elements of which the warp has sums 2 i to 2 i + 7.
template <typename Engine, typename C, typename T = typename Engine::Element,
          typename Sum = typename Engine::Sum>
__global__ void __cluster_dims__(blocks) __launch_bounds__(threads, 1)
    gemm(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
         const __grid_constant__ CUtensorMap map_c, const C* c, int m, int n, int k, int ldc,
         Sum alpha, Sum beta) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<Shared*>(memory);
  const int rank = bulk::block_rank();
  const int group = threadIdx.x / group_threads;
  const Tiles tiles(m, n);
  const int steps = (k - 1) / (line / int(sizeof(T))) + 1;

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      bulk::init(&shared.full[stage], 1);
      bulk::init(&shared.empty[stage], blocks * groups * Engine::releases);
    }
    bulk::fence_init();
  }
  bulk::synchronize_cluster();

  if (group == groups) {
    wgmma::shrink_registers<40>();
    if (threadIdx.x % group_threads == 0) {
      copy_tiles<T>(shared, map_a, map_b, tiles, steps, rank);
    }
  } else {
    wgmma::grow_registers<232>();
    const Output<C, Sum> output{c, m, n, ldc, alpha, beta};
    Turn turn;
    for (int tile = tiles.first(); tile < tiles.count(); tile += tiles.stride()) {
      Sum s[sums] = {};
      Engine::multiply_tile(shared, turn, steps, group, s);
      int2 origin = tiles.origin(tile, rank);
      origin.x += group * group_rows;
      store_sums<Engine>(shared.chunks[threadIdx.x / 32], map_c, output, s, origin);
    }
    if (threadIdx.x % 32 == 0) bulk::wait_until_read<0>();
  }
  bulk::synchronize_cluster();
}

}  // namespace persistent
