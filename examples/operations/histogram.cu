// How often each number occurs: the counters of a block are added to those of the grid with
// atomics.
/* warpcheck
[[operation]]
name    = "histogram"
extents = ["length", "bins"]
inputs.x      = { shape = ["length"], integer = true, range = [0, "bins - 1"] }
outputs.count = { shape = ["bins"], integer = true }
define  = "count[b] = sum(i: 1 where x[i] == b)"

[[variant]]
name      = "histogram"
operation = "histogram"
requires  = ["bins >= 1 and bins <= 1024"]

[[variant.launch]]
kernel    = "clear"
arguments = ["count", "bins"]
block     = [128]
grid      = ["ceil_div(bins, 128)"]

[[variant.launch]]
kernel    = "histogram"
arguments = ["x", "count", "length", "bins"]
block     = [128]
grid      = ["ceil_div(length, 512)"]
shared    = "4 * bins"
when      = "length >= 1"
*/

__global__ void clear(int* count, int bins) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < bins) count[i] = 0;
}

__global__ void histogram(const int* x, int* count, int length, int bins) {
  extern __shared__ int of_block[];
  for (int i = threadIdx.x; i < bins; i += 128) of_block[i] = 0;
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    const long long at = blockIdx.x * 512LL + i * 128 + threadIdx.x;
    if (at < length) atomicAdd(of_block + x[at], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += 128) {
    if (of_block[i] != 0) atomicAdd(count + i, of_block[i]);
  }
}
