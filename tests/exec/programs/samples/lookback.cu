// Prefix sums in a single pass with decoupled look-back (Merrill and Garland). The defect: a fence
// is missing.
#include <vector>

#include "common.h"

constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems;
enum : int { kInvalid = 0, kAggregate = 1, kPrefix = 2 };

struct TileState {
  int* flag;
  int* aggregate;
  int* prefix;
};

__device__ int lookback(TileState s, int tile) {
  int sum = 0;
  for (int t = tile - 1; t >= 0; --t) {
    int f;
    do {
      f = *(volatile int*)&s.flag[t];
    } while (f == kInvalid);
    __threadfence();
    if (f == kPrefix) return sum + s.prefix[t];
    sum += s.aggregate[t];  // finding here
  }
  return sum;
}

template <bool kDefect>
__global__ void scan(const int* in, int* out, int n, TileState s, int* counter) {
  __shared__ int tile_id, exclusive, warp_sums[kThreads / 32];
  if (threadIdx.x == 0) tile_id = atomicAdd(counter, 1);
  __syncthreads();
  const int tile = tile_id, base = tile * kTile + threadIdx.x * kItems;
  int v[kItems], sum = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    v[i] = base + i < n ? in[base + i] : 0;
    sum += v[i];
  }
  int inclusive = sum;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, inclusive, d);
    if ((threadIdx.x & 31) >= d) inclusive += other;
  }
  if ((threadIdx.x & 31) == 31) warp_sums[threadIdx.x / 32] = inclusive;
  __syncthreads();
  int before = inclusive - sum, all = 0;
  for (int w = 0; w < kThreads / 32; ++w) {
    if (w < threadIdx.x / 32) before += warp_sums[w];
    all += warp_sums[w];
  }
  if (threadIdx.x == 0) {
    s.aggregate[tile] = all;
    if (!kDefect) __threadfence();
    *(volatile int*)&s.flag[tile] = kAggregate;
    const int prefix = lookback(s, tile);
    exclusive = prefix;
    s.prefix[tile] = prefix + all;
    __threadfence();
    *(volatile int*)&s.flag[tile] = kPrefix;
  }
  __syncthreads();
  int running = exclusive + before;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    running += v[i];
    if (base + i < n) out[base + i] = running;
  }
}

int main(int argc, char** argv) {
  const Timing timing;
  const int n = size_or(10000, argc, argv), tiles = (n + kTile - 1) / kTile;
  std::vector<int> h(n), r(n);
  for (int i = 0; i < n; ++i) h[i] = i % 7 - 2;
  int *in, *out, *counter;
  TileState s;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  CHECK(cudaMalloc(&counter, sizeof(int)));
  CHECK(cudaMalloc(&s.flag, tiles * sizeof(int)));
  CHECK(cudaMalloc(&s.aggregate, tiles * sizeof(int)));
  CHECK(cudaMalloc(&s.prefix, tiles * sizeof(int)));
  CHECK(cudaMemset(counter, 0, sizeof(int)));
  CHECK(cudaMemset(s.flag, 0, tiles * sizeof(int)));
  CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  (has_defect(argc, argv) ? scan<true> : scan<false>)<<<tiles, kThreads>>>(in, out, n, s, counter);
  CHECK(cudaMemcpy(r.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
  int sum = 0;
  bool ok = true;
  for (int i = 0; i < n; ++i) ok &= r[i] == (sum += h[i]);
  for (int* p : {in, out, counter, s.flag, s.aggregate, s.prefix}) CHECK(cudaFree(p));
  std::puts(ok ? "correct" : "wrong");
  return !ok;
}
