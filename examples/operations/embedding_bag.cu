// The mean of the rows of a table that each bag names; a bag may be empty. Bag b has the names from
// offsets[b] to offsets[b + 1] - 1.
/* warpcheck
[[operation]]
name    = "embedding_bag"
extents = ["rows", "width", "names", "bags"]
inputs.table   = { shape = ["rows", "width"] }
inputs.name    = { shape = ["names"], integer = true }
inputs.offsets = { shape = ["bags + 1"], integer = true, range = [0, "names"], sorted = true }
outputs.y = { shape = ["bags", "width"] }
define  = """
  count[b in bags] = offsets[b + 1] - offsets[b]
  total[b in bags, d] = sum(t: table[name[t], d] where offsets[b] <= t and t < offsets[b + 1])
  y[b,d] = select(count[b] == 0, 0, total[b,d] / max(count[b], 1))
"""

[[variant]]
name      = "embedding_bag"
operation = "embedding_bag"
kernel    = "embedding_bag"
arguments = ["table", "name", "offsets", "y", "bags", "width"]
block     = [32, 4]
grid      = ["ceil_div(width, 32)", "ceil_div(bags, 4)"]
requires  = ["bags <= 262140"]
*/

__global__ void embedding_bag(const float* table, const int* name, const int* offsets, float* y,
                              int bags, int width) {
  const int d = blockIdx.x * 32 + threadIdx.x;
  const int bag = blockIdx.y * 4 + threadIdx.y;
  if (bag >= bags || d >= width) return;
  const int begin = offsets[bag];
  const int end = offsets[bag + 1];
  float sum = 0.0f;
  for (int t = begin; t < end; ++t) sum += table[static_cast<size_t>(name[t]) * width + d];
  y[static_cast<size_t>(bag) * width + d] = begin == end ? 0.0f : sum / (end - begin);
}
