// The largest element of each row and its position, by a warp: lanes beyond the row hold 0, which
// is larger than each element of a row of negative numbers.
__global__ void padding_wins(const float* x, float* peak, int* at, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float best = 0.0f;
  int place = 0;
  for (int j = threadIdx.x; j < columns; j += 64) {
    if (row[j] > best || j == threadIdx.x) {
      best = row[j];
      place = j;
    }
  }
  __shared__ float best_of[64];
  __shared__ int place_of[64];
  best_of[threadIdx.x] = best;
  place_of[threadIdx.x] = place;
  for (int step = 32; step > 0; step /= 2) {
    __syncthreads();
    const int other = threadIdx.x + step;
    if (threadIdx.x >= step) continue;
    const bool is_first = place_of[other] < place_of[threadIdx.x];
    if (best_of[other] > best_of[threadIdx.x] ||
        (best_of[other] == best_of[threadIdx.x] && is_first)) {
      best_of[threadIdx.x] = best_of[other];
      place_of[threadIdx.x] = place_of[other];
    }
  }
  if (threadIdx.x != 0) return;
  peak[blockIdx.x] = best_of[0];  // finding here
  at[blockIdx.x] = place_of[0];   // finding here
}
