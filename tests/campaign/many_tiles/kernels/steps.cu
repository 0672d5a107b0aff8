// Tiles of 64 x 64 with steps of 16 along k, in whole tiles only. Each defect needs several steps.
enum class Defect {
  none,
  last_of_odd_dropped,   // number of steps: 3, 5 ...
  last_of_even_dropped,  // 2, 4 ...
  exactly_three,         // the last is dropped
  exactly_five,
  multiple_of_four,
  six_or_more,
  beyond_512_terms,
  odd_in_second_column,     // an odd number of steps, from the second block column on
  more_than_block_columns,  // more steps than blocks along x, of which there are at least two
  last_of_prime,            // 7, 11 and 13
};

constexpr int kTile = 64;
constexpr int kStep = 16;

template <Defect D>
__device__ int steps_executed(int steps) {
  bool drops = false;
  if (D == Defect::last_of_odd_dropped) drops = steps > 1 && steps % 2 == 1;
  if (D == Defect::last_of_even_dropped) drops = steps > 1 && steps % 2 == 0;
  if (D == Defect::exactly_three) drops = steps == 3;
  if (D == Defect::exactly_five) drops = steps == 5;
  if (D == Defect::multiple_of_four) drops = steps > 0 && steps % 4 == 0;
  if (D == Defect::six_or_more) drops = steps >= 6;
  if (D == Defect::beyond_512_terms) return steps > 32 ? 32 : steps;
  if (D == Defect::odd_in_second_column) drops = steps > 1 && steps % 2 == 1 && blockIdx.x > 0;
  if (D == Defect::more_than_block_columns) drops = gridDim.x > 1 && steps > gridDim.x;
  if (D == Defect::last_of_prime) drops = steps == 7 || steps == 11 || steps == 13;
  return drops ? steps - 1 : steps;
}

template <Defect D>
__global__ void steps(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[kStep][kTile + 1];
  __shared__ float tile_b[kStep][kTile];
  const int row = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int steps = steps_executed<D>(k / kStep);
  float sums[4][4] = {};
  for (int step = 0; step < steps; ++step) {
    for (int i = thread; i < kTile * kStep; i += 256) {
      tile_a[i % kStep][i / kStep] = a[(size_t)(row + i / kStep) * k + step * kStep + i % kStep];
      tile_b[i / kTile][i % kTile] = b[(size_t)(step * kStep + i / kTile) * n + column + i % kTile];
    }
    __syncthreads();
    for (int p = 0; p < kStep; ++p) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          sums[i][j] += tile_a[p][threadIdx.y * 4 + i] * tile_b[p][threadIdx.x + j * 16];
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      c[(size_t)(row + threadIdx.y * 4 + i) * n + column + threadIdx.x + j * 16] = sums[i][j];
    }
  }
}
