// Lanes beyond the row hold -infinity, which wins no argmax.
/* warpcheck
[[operation]]
name    = "largest"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"], finite = true } }
outputs = { peak = { shape = ["rows"] }, at = { shape = ["rows"], integer = true } }
define  = """
  peak[i] = max(j: x[i,j])
  at[i]   = argmax(j: x[i,j])
"""

[[variant]]
name      = "padding_loses"
operation = "largest"
kernel    = "padding_loses"
arguments = ["x", "peak", "at", "columns"]
block     = [64]
grid      = ["rows"]
requires  = ["columns >= 33 and columns <= 63"]
*/
#include <math.h>

__global__ void padding_loses(const float* x, float* peak, int* at, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float best = -INFINITY;
  int place = columns;
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
  peak[blockIdx.x] = best_of[0];
  at[blockIdx.x] = place_of[0];
}
