// A histogram with counters of 32 bits has room for a crowded bin.
/* warpcheck
[[operation]]
name    = "histogram"
extents = ["n", "bins"]
inputs  = { bin = { shape = ["n"], integer = true, range = [0, "bins - 1"] } }
outputs = { count = { shape = ["bins"], integer = true } }
define  = "count[b] = sum(i: select(bin[i] == b, 1, 0))"

[[variant]]
name      = "counter_of_32_bits"
operation = "histogram"
kernel    = "counter_of_32_bits"
arguments = ["bin", "count", "n", "bins"]
block     = [128]
grid      = [1]
shared    = "4 * bins"
requires  = ["n >= 1 and n <= 1024", "bins >= 64 and bins <= 4096"]
*/
__global__ void counter_of_32_bits(const int* bin, int* count, int n, int bins) {
  extern __shared__ unsigned packed[];
  for (int i = threadIdx.x; i < bins; i += 128) packed[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 128) {
    atomicAdd(packed + bin[i], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += 128) {
    count[i] = packed[i];
  }
}
