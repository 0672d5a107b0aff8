// Addition of vectors, transposition, reduction, scan and histogram.
#include "programs.h"

__global__ void add(const int* a, const int* b, int* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // finding: vector_add
}

bool vector_add(bool defect) {
  const int n = 1000;
  int* const a = device_array(sequence(n));
  int* const b = device_array(sequence(n, 5));
  int* const c = device_array<int>(n);
  add<<<4, 256>>>(a, b, c, defect ? n + 1 : n);
  const bool right = take(c, n) == sequence(n, 5, 2);
  require(cudaFree(a));
  require(cudaFree(b));
  return right;
}

constexpr int kTile = 16;

__global__ void transpose_tiles(const int* from, int* to, int n, bool defect) {
  __shared__ int tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = from[y * n + x];
  if (!defect) __syncthreads();
  const int row = blockIdx.x * kTile + threadIdx.y;
  const int column = blockIdx.y * kTile + threadIdx.x;
  to[row * n + column] = tile[threadIdx.x][threadIdx.y];  // finding: transpose
}

bool transpose(bool defect) {
  const int n = 64;
  int* const from = device_array(sequence(n * n));
  int* const to = device_array<int>(n * n);
  transpose_tiles<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(from, to, n, defect);
  const std::vector<int> result = take(to, n * n);
  require(cudaFree(from));
  bool right = true;
  for (int i = 0; i < n * n; ++i) right = right && result[i % n * n + i / n] == i;
  return right;
}

template <int threads>
__global__ void sum(const int* values, int* total, int n) {
  __shared__ int part[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) part[threadIdx.x] = values[i];
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    const int other = static_cast<int>(threadIdx.x) + half;
    const bool adds = threadIdx.x < half && blockIdx.x * threads + other < n;
    if (adds) part[threadIdx.x] += part[other];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);  // finding: reduction
}

bool reduction(bool defect) {
  const int n = 1000;
  int* const values = device_array(sequence(n));
  int* const total = device_array(std::vector<int>(1));
  sum<128><<<defect ? 9 : 8, 128>>>(values, total, n);
  require(cudaFree(values));
  return take(total, 1)[0] == n * (n - 1) / 2;
}

__global__ void scan_block(int* values, bool defect) {
  __shared__ int sums[2][256];
  const int i = threadIdx.x;
  int now = 0;
  sums[now][i] = values[i];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    const int next = defect ? now : 1 - now;
    const int added = i >= distance ? sums[now][i - distance] : 0;
    sums[next][i] = sums[now][i] + added;  // finding: scan
    __syncthreads();
    now = next;
  }
  values[i] = sums[now][i];
}

bool scan(bool defect) {
  int* const values = device_array(std::vector<int>(256, 1));
  scan_block<<<1, 256>>>(values, defect);
  return take(values, 256) == sequence(256, 1);
}

__global__ void count_values(const int* values, int* counts, int n, bool defect) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (!defect) {
    atomicAdd(&counts[values[i] % 16], 1);
  } else {
    ++counts[values[i] % 16];  // finding: histogram
  }
}

bool histogram(bool defect) {
  const int n = 1600;
  int* const values = device_array(sequence(n));
  int* const counts = device_array(std::vector<int>(16));
  count_values<<<7, 256>>>(values, counts, n, defect);
  require(cudaFree(values));
  return take(counts, 16) == std::vector<int>(16, n / 16);
}

constexpr Program kPrograms[] = {{"vector_add", vector_add},
                                 {"transpose", transpose},
                                 {"reduction", reduction},
                                 {"scan", scan},
                                 {"histogram", histogram}};

int main(int arguments, char** argument) { return run_program(kPrograms, arguments, argument); }
