// Attention over two parts of the keys, each online, merged by their log-sum-exp. Values near the
// largest number overflow relative to an early peak.
// run: check FILE --device virtual --cases 400
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
name      = "attention_in_parts"
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
    const float log_one = one.peak + logf(one.total);
    const float log_other = other.peak + logf(other.total);
    if (one.total == 0.0f || other.total == 0.0f) {
      const Part& part = one.total == 0.0f ? other : one;
      y[d] = part.sum / part.total;
      continue;
    }
    const float most = log_one >= log_other ? log_one : log_other;
    const float log_sum = most + logf(expf(log_one - most) + expf(log_other - most));
    y[d] = expf(log_one - log_sum) * (one.sum / one.total) +
           expf(log_other - log_sum) * (other.sum / other.total);
  }
}
