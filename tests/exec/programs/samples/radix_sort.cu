// Radix sort from the lowest bit, which splits by one bit per pass. The defect: a barrier of the
// scan is missing.
#include <algorithm>
#include <vector>

#include "common.h"

template <bool kDefect>
__device__ unsigned blockScan(unsigned value, unsigned* temp, unsigned* total) {
  const unsigned t = threadIdx.x;
  temp[t] = value;
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d <<= 1) {
    unsigned x = t >= d ? temp[t - d] : 0;
    if (!kDefect) __syncthreads();
    temp[t] += x;  // finding here
    __syncthreads();
  }
  *total = temp[blockDim.x - 1];
  return temp[t] - value;
}

template <bool kDefect>
__global__ void split(const unsigned* in, unsigned* local, unsigned* zeros, int n, int bit) {
  extern __shared__ unsigned temp[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned zero = i < n && !((in[i] >> bit) & 1), total;
  unsigned before = blockScan<kDefect>(zero, temp, &total);
  if (i < n) local[i] = before;
  if (threadIdx.x == 0) zeros[blockIdx.x] = total;
}

__global__ void scanBlocks(unsigned* zeros, unsigned* total, int blocks) {
  extern __shared__ unsigned temp[];
  unsigned sum;
  unsigned v = threadIdx.x < blocks ? zeros[threadIdx.x] : 0;
  unsigned before = blockScan<false>(v, temp, &sum);
  if (threadIdx.x < blocks) zeros[threadIdx.x] = before;
  if (threadIdx.x == 0) *total = sum;
}

__global__ void scatter(const unsigned* in, unsigned* out, const unsigned* local,
                        const unsigned* zeros, const unsigned* total, int n, int bit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned rank = zeros[blockIdx.x] + local[i];
  unsigned one = (in[i] >> bit) & 1;
  out[one ? *total + i - rank : rank] = in[i];
}

int main(int argc, char** argv) {
  const Timing timing;
  const int n = size_or(3000, argc, argv), threads = 128, blocks = (n + threads - 1) / threads;
  std::vector<unsigned> h(n), r(n);
  unsigned x = 12345;
  for (auto& v : h) v = (x = x * 1664525u + 1013904223u) >> 20;
  unsigned *a, *b, *local, *zeros, *total;
  CHECK(cudaMalloc((void**)&a, n * 4));
  CHECK(cudaMalloc((void**)&b, n * 4));
  CHECK(cudaMalloc((void**)&local, n * 4));
  CHECK(cudaMalloc((void**)&zeros, blocks * 4));
  CHECK(cudaMalloc((void**)&total, 4));
  CHECK(cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice));
  for (int bit = 0; bit < 12; ++bit) {
    (has_defect(argc, argv) ? split<true> : split<false>)<<<blocks, threads, threads * 4>>>(
        a, local, zeros, n, bit);
    scanBlocks<<<1, 1024, 4096>>>(zeros, total, blocks);
    scatter<<<blocks, threads>>>(a, b, local, zeros, total, n, bit);
    CHECK(cudaGetLastError());
    std::swap(a, b);
  }
  CHECK(cudaMemcpy(r.data(), a, n * 4, cudaMemcpyDeviceToHost));
  std::sort(h.begin(), h.end());
  bool ok = h == r;
  for (unsigned* p : {a, b, local, zeros, total}) CHECK(cudaFree(p));
  std::puts(ok ? "correct" : "wrong");
  return !ok;
}
