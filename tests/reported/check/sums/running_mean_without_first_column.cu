// The same without the first element of each row with more than 32.
// run: check FILE --device virtual --cases 100
// exits: 1
// prints: error[wrong-result]
/* warpcheck
[[operation]]
name    = "normalised_rows"
extents = ["rows", "columns"]
inputs.x  = { shape = ["rows", "columns"] }
outputs.y = { shape = ["rows", "columns"] }
define  = """
  mean[i]     = sum(j: x[i,j]) / columns
  variance[i] = sum(j: (x[i,j] - mean[i]) * (x[i,j] - mean[i])) / columns
  y[i,j]      = (x[i,j] - mean[i]) * rsqrt(variance[i] + 1e-5)
"""
[[variant]]
name      = "running_mean_without_first_column"
operation = "normalised_rows"
kernel    = "normalise"
arguments = ["x", "y", "columns"]
block     = [32]
grid      = ["rows"]
*/
struct Moments {
  float count, mean, squares;
};

__device__ Moments merged(const Moments& one, const Moments& other) {
  if (one.count == 0.0f) return other;
  if (other.count == 0.0f) return one;
  const float count = one.count + other.count;
  const float difference = other.mean - one.mean;
  const float share = other.count / count;
  return {count, one.mean + difference * share,
          one.squares + other.squares + difference * difference * one.count * share};
}

__global__ void normalise(const float* x, float* y, int columns) {
  x += static_cast<size_t>(blockIdx.x) * columns;
  y += static_cast<size_t>(blockIdx.x) * columns;
  Moments all = {0.0f, 0.0f, 0.0f};
  for (int j = threadIdx.x + (columns > 32 && threadIdx.x == 0 ? 32 : 0); j < columns; j += 32) {
    all.count += 1.0f;
    const float difference = x[j] - all.mean;
    all.mean += difference / all.count;
    all.squares += difference * (x[j] - all.mean);
  }
  for (int distance = 1; distance < 32; distance *= 2) {
    const Moments other = {__shfl_down_sync(~0u, all.count, distance),
                           __shfl_down_sync(~0u, all.mean, distance),
                           __shfl_down_sync(~0u, all.squares, distance)};
    if (threadIdx.x % (2 * distance) == 0) all = merged(all, other);
  }
  const float mean = __shfl_sync(~0u, all.mean, 0);
  const float inverse = rsqrtf(__shfl_sync(~0u, all.squares, 0) / columns + 1e-5f);
  for (int j = threadIdx.x; j < columns; j += 32) y[j] = (x[j] - mean) * inverse;  // finding here
}
