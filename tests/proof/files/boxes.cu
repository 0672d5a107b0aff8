// Copies of boxes through tensor maps, products of a warpgroup, and blocks of a cluster: right
// kernels and wrong twins. They copy A to C, or its products: proofs do not depend on values.
#include "../../../kernels/gemm/8_warpgroups/bulk.cuh"
#include "../../../kernels/gemm/8_warpgroups/wgmma.cuh"

enum Twin {
  kRight,
  kShortArray,     // the array lacks the last row of the box
  kWrap,           // a coordinate may exceed 2^31
  kGap,            // columns between the boxes
  kTwice,          // two blocks store each box
  kOddColumn,      // a coordinate of 4 bytes
  kOddPlace,       // a box in shared memory at 64 bytes
  kBefore,         // a store that begins before the first row
  kObjectBehind,   // an mbarrier object behind the array
  kOddObject,      // an mbarrier object at 4 bytes
  kNoStore,        // the output is not written
  kWholeRows,      // no store of the last rows, which are less than a box
  kOverlap,        // boxes of which each covers a column of the next one
  kBeyondTile,     // a descriptor behind the tile
  kLargeStride,    // core matrices behind the tile
  kPartOfGroup,    // a product of three warps of a warpgroup
  kBeyondCluster,  // a block that the cluster lacks
  kBeyondMask,     // a copy to a block that the cluster lacks
  kRemoteStore,    // an address in another block as one of the block itself
  kPartOfCluster,  // a barrier of the cluster that one of its blocks does not reach
};

constexpr int kSide = 32;  // rows and columns of a box

template <Twin TWIN>
__global__ void boxes(const __grid_constant__ CUtensorMap map_a,
                      const __grid_constant__ CUtensorMap map_c, int m, int n, int k) {
  constexpr int rows = TWIN == kShortArray ? kSide - 1 : kSide;
  __shared__ __align__(128) float tile[rows][kSide];
  __shared__ __align__(8) uint64_t full[2];
  uint64_t* object = &full[TWIN == kObjectBehind ? 2 : 0];
  if (TWIN == kOddObject) object = reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(full) + 4);
  float* const place = &tile[0][TWIN == kOddPlace ? 16 : 0];
  const int row = blockIdx.y * kSide;
  const int column = blockIdx.x * kSide;
  if (threadIdx.x == 0) {
    bulk::init(object, 1);
    bulk::fence_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk::expect_bytes(object, kSide * kSide * sizeof(float));
    const int x = TWIN == kWrap ? k * 16 : column + (TWIN == kOddColumn ? 1 : 0);
    bulk::load(place, map_a, x, row, object);
  }
  bulk::wait(object, 0);
  if (threadIdx.x != 0 || TWIN == kNoStore) return;
  if (TWIN == kWholeRows && row + kSide > m) return;
  const int x = TWIN == kGap       ? blockIdx.x * (kSide + 4)
                : TWIN == kTwice   ? blockIdx.x / 2 * kSide
                : TWIN == kOverlap ? blockIdx.x * (kSide - 4)
                                   : column;
  bulk::store(map_c, x, TWIN == kBefore ? row - 1 : row, place);
  bulk::commit();
  bulk::wait_until_read<0>();
}

// A warpgroup multiplies a tile of 64 rows of 64 bytes with itself.
template <Twin TWIN>
__global__ void products(float* c, int m, int n, int ldc) {
  __shared__ __align__(128) __half tile[4][8][8][8];
  for (int i = threadIdx.x; i < 4 * 512; i += blockDim.x) (&tile[0][0][0][0])[i] = __half(1.0f);
  wgmma::fence_proxy();
  __syncthreads();
  float sums[wgmma::sums] = {};
  if (TWIN == kPartOfGroup && threadIdx.x >= 96) return;
  const uint64_t first =
      wgmma::descriptor(tile[TWIN == kBeyondTile ? 3 : 2], TWIN == kLargeStride ? 2048 : 1024, 128);
  wgmma::fence();
  wgmma::multiply<__half>(sums, first, wgmma::descriptor(tile[0], 1024, 128));
  wgmma::commit();
  wgmma::wait<0>();
#pragma unroll
  for (int i = 0; i < wgmma::sums; ++i) {
    const int row = blockIdx.y * wgmma::rows + wgmma::row_of(i);
    const int column = blockIdx.x * wgmma::columns + wgmma::column_of(i);
    if (row < m && column < n) c[size_t(row) * ldc + column] = sums[i];
  }
}

// One block of a cluster of two copies a box to both, and each reports to the other one.
template <Twin TWIN>
__global__ void __cluster_dims__(2) shared_boxes(const __grid_constant__ CUtensorMap map_a,
                                                 const __grid_constant__ CUtensorMap map_c) {
  __shared__ __align__(128) float tile[kSide][kSide];
  __shared__ __align__(8) uint64_t full;
  __shared__ __align__(8) uint64_t empty;
  const uint32_t rank = bulk::block_rank();
  if (threadIdx.x == 0) {
    bulk::init(&full, 1);
    bulk::init(&empty, 1);
    bulk::fence_init();
    bulk::expect_bytes(&full, sizeof tile);
  }
  if (TWIN != kPartOfCluster || rank == 0) bulk::synchronize_cluster();
  if (threadIdx.x == 0 && rank == 0) {
    const uint16_t blocks = TWIN == kBeyondMask ? 7 : 3;
    bulk::load_to_blocks(tile, map_a, blockIdx.x * kSide, blockIdx.y * kSide, &full, blocks);
  }
  bulk::wait(&full, 0);
  if (threadIdx.x == 0) {
    const uint32_t other = TWIN == kBeyondCluster ? rank + 1 : rank ^ 1;
    if (TWIN == kRemoteStore) {
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bulk::in_block(&empty, other)));
    } else {
      bulk::arrive_in_block(&empty, other);
    }
    bulk::store(map_c, blockIdx.x * kSide, blockIdx.y * kSide, tile);
    bulk::commit();
    bulk::wait_until_read<0>();
  }
  bulk::synchronize_cluster();
}
