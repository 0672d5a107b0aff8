// Tiles of 128 x 128 with steps of 32 along k, in whole tiles only. Each defect needs several
// blocks.
enum class Defect {
  none,
  swapped_from_256,          // blocks (0, 0) and (1, 1), wherever m >= 256 and n >= 256
  second_tile_both_ways,     // the offset of A in blocks beyond the first along x and y
  corner_of_odd_grid,        // not computed in a grid of 3 x 3, 3 x 5 ... blocks
  more_columns_than_rows,    // counts blocks: the last one of the first row is wrong
  more_rows_than_columns,    // counts blocks, of at least two columns
  swizzle_beyond_2048,       // columns of C
  rows_beyond_4096,          // lack the last step along k
  exactly_1024_columns,      // lack the last step along k
  terms_beyond_4096,         // are dropped
  grid_width_multiple_of_4,  // the first two block columns are exchanged
  more_than_sixteen_blocks,  // counts all blocks: the rest is not computed
  diagonal_with_two_steps,   // blocks on the diagonal reuse the first step along k
};

constexpr int kTile = 128;
constexpr int kStep = 32;

template <Defect D>
__global__ void blocks(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[kStep][kTile + 1];
  __shared__ float tile_b[kStep][kTile];
  int x = blockIdx.x;
  int y = blockIdx.y;
  int x_of_a = y;  // block row that A is read from
  int terms = k;
  if (D == Defect::swapped_from_256 && m >= 256 && n >= 256 && x == y && x < 2) x = x_of_a = 1 - x;
  if (D == Defect::second_tile_both_ways && x > 0 && y > 0) x_of_a = y - 1;
  if (D == Defect::corner_of_odd_grid && gridDim.x % 2 == 1 && gridDim.y % 2 == 1 && x > 0 &&
      y > 0 && x == gridDim.x - 1 && y == gridDim.y - 1) {
    return;
  }
  if (D == Defect::more_columns_than_rows && gridDim.x > gridDim.y && y == 0 && x == gridDim.x - 1)
    terms = k - kStep;
  if (D == Defect::more_rows_than_columns && gridDim.y > gridDim.x && gridDim.x > 1 &&
      y == gridDim.y - 1) {
    terms = k - kStep;
  }
  if (D == Defect::swizzle_beyond_2048) x = x & 15;
  if (D == Defect::rows_beyond_4096 && y * kTile >= 4096) terms = k - kStep;
  if (D == Defect::exactly_1024_columns && n == 1024) terms = k - kStep;
  if (D == Defect::terms_beyond_4096 && k > 4096) terms = 4096;
  if (D == Defect::grid_width_multiple_of_4 && gridDim.x % 4 == 0 && x < 2) x = 1 - x;
  if (D == Defect::more_than_sixteen_blocks && y * gridDim.x + x >= 16) return;

  const int thread = threadIdx.y * 16 + threadIdx.x;
  float sums[8][8] = {};
  for (int first = 0; first < terms; first += kStep) {
    const int from = D == Defect::diagonal_with_two_steps && x == y && x > 0 ? 0 : first;
    for (int i = thread; i < kTile * kStep; i += 256) {
      tile_a[i % kStep][i / kStep] = a[(size_t)(x_of_a * kTile + i / kStep) * k + from + i % kStep];
      tile_b[i / kTile][i % kTile] = b[(size_t)(from + i / kTile) * n + x * kTile + i % kTile];
    }
    __syncthreads();
    for (int p = 0; p < kStep; ++p) {
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) {
          sums[i][j] += tile_a[p][threadIdx.y * 8 + i] * tile_b[p][threadIdx.x + j * 16];
        }
      }
    }
    __syncthreads();
  }
  // Blocks were exchanged for the product only.
  const bool exchanged = D == Defect::grid_width_multiple_of_4 || D == Defect::swapped_from_256;
  const int column = exchanged ? blockIdx.x : x;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      c[(size_t)(y * kTile + threadIdx.y * 8 + i) * n + column * kTile + threadIdx.x + j * 16] =
          sums[i][j];
    }
  }
}
