// Tiles of 64 x 64 with steps of 16 along k through a ring of buffers, in whole tiles only. Each
// defect needs about as many steps as the ring has buffers, or more.
enum class Defect {
  none,
  main_loop_deleted,        // only the steps are computed whose loads precede the main loop
  wrong_buffer_after_wrap,  // the first step after the ring is full is read from buffer 1
  no_barrier_before_reuse,  // a race, from the second round on
  last_buffer_hard_coded,   // right for an even number of steps
  exactly_full,             // the last step is dropped if the steps fill the ring exactly
  second_wrap,              // the first step of the third round is read from buffer 1
};

constexpr int kTile = 64;
constexpr int kStep = 16;

template <int Stages, Defect D>
__global__ void pipeline(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[Stages][kStep][kTile];
  __shared__ float tile_b[Stages][kStep][kTile];
  const int row = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int steps = k / kStep;
  const auto load = [&](int step) {
    for (int i = thread; i < kTile * kStep; i += 256) {
      tile_a[step % Stages][i / kTile][i % kTile] =
          a[(size_t)(row + i % kTile) * k + step * kStep + i / kTile];
      tile_b[step % Stages][i / kTile][i % kTile] =
          b[(size_t)(step * kStep + i / kTile) * n + column + i % kTile];
    }
  };
  for (int step = 0; step < Stages - 1 && step < steps; ++step) load(step);
  int computed = steps;
  if (D == Defect::main_loop_deleted && steps > Stages - 1) computed = Stages - 1;
  if (D == Defect::exactly_full && steps == Stages) computed = Stages - 1;
  float sums[4][4] = {};
  for (int step = 0; step < computed; ++step) {
    if (D != Defect::no_barrier_before_reuse || step < Stages) __syncthreads();
    if (step + Stages - 1 < steps) load(step + Stages - 1);
    int buffer = step % Stages;
    if (D == Defect::wrong_buffer_after_wrap && step == Stages) buffer = 1;
    if (D == Defect::second_wrap && step == 2 * Stages) buffer = 1;
    if (D == Defect::last_buffer_hard_coded && step > 0 && step + 1 == steps) buffer = 1;
    for (int p = 0; p < kStep; ++p) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          sums[i][j] +=
              tile_a[buffer][p][threadIdx.y * 4 + i] * tile_b[buffer][p][threadIdx.x + j * 16];
        }
      }
    }
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      c[(size_t)(row + threadIdx.y * 4 + i) * n + column + threadIdx.x + j * 16] = sums[i][j];
    }
  }
}
