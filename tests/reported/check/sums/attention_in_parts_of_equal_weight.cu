// The parts are merged without regard to their peaks.
// run: check FILE --device virtual --cases 400
// exits: 1
// prints: error[wrong-result]
/* warpcheck
[[operation]]
name    = "weighted_values"
extents = ["rows", "columns", "depth"]
inputs.x  = { shape = ["rows", "columns"] }
inputs.v  = { shape = ["columns", "depth"] }
outputs.y = { shape = ["rows", "depth"] }
define  = """
  peak[i]  = max(j: x[i,j])
  total[i] = sum(j: exp(x[i,j] - peak[i]))
  y[i,d]   = sum(j: exp(x[i,j] - peak[i]) * v[j,d]) / total[i]
"""
[[variant]]
name      = "attention_in_parts_of_equal_weight"
operation = "weighted_values"
kernel    = "weighted_values"
arguments = ["x", "v", "y", "columns", "depth"]
block     = [32]
grid      = ["rows"]
*/
struct Part {
  float peak, total, sum;
};

/// Online: both sums are relative to the largest score so far.
__device__ Part part_of(const float* x, const float* v, int begin, int end, int depth) {
  Part part = {-INFINITY, 0.0f, 0.0f};
  for (int j = begin; j < end; ++j) {
    if (x[j] == -INFINITY &&
        v[static_cast<size_t>(j) * depth] == v[static_cast<size_t>(j) * depth] &&
        !isinf(v[static_cast<size_t>(j) * depth]))
      continue;
    const float peak = x[j] <= part.peak ? part.peak : x[j];
    const float scale = part.peak == peak ? 1.0f : expf(part.peak - peak);
    const float weight = expf(x[j] - peak);
    part = {peak, part.total * scale + weight,
            part.sum * scale + weight * v[static_cast<size_t>(j) * depth]};
  }
  return part;
}

__global__ void weighted_values(const float* x, const float* v, float* y, int columns, int depth) {
  x += static_cast<size_t>(blockIdx.x) * columns;
  y += static_cast<size_t>(blockIdx.x) * depth;
  for (int d = threadIdx.x; d < depth; d += 32) {
    const Part one = part_of(x, v + d, 0, columns / 2, depth);
    const Part other = part_of(x, v + d, columns / 2, columns, depth);
    y[d] = (one.sum + other.sum) / (one.total + other.total);  // finding here
  }
}
