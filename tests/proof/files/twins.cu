// Right kernels and wrong twins: the twin must not be proved for the property that its contract
// names.
#include <cuda_runtime.h>

enum Twin { kRight, kNoBarrier, kBarrierInBranch, kOneTooFar, kNarrow, kWrites, kOneTooFew };

// Sums of rows by halves of a block: the distance is no linear function of the iteration.
template <Twin TWIN>
__global__ void tree(const float* x, float* y, int columns) {
  extern __shared__ float part[];
  const int thread = threadIdx.x;
  float sum = 0.0f;
  for (int c = thread; c < columns; c += blockDim.x) sum += x[(size_t)blockIdx.x * columns + c];
  part[thread] = sum;
  __syncthreads();
  for (unsigned distance = blockDim.x / 2; distance > 0; distance >>= 1) {
    if (thread < distance) {
      part[thread] += part[thread + distance + (TWIN == kOneTooFar ? 1 : 0)];
      if (TWIN == kBarrierInBranch) __syncthreads();
    }
    if (TWIN != kNoBarrier && TWIN != kBarrierInBranch) __syncthreads();
  }
  if (thread == 0) y[blockIdx.x] = part[0];
}

// Copies rows of a batch through one index, which is divided as a narrow number if it is one.
template <Twin TWIN>
__global__ void count_through(const float* x, const float* weights, float* y, int columns,
                              long long total) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (TWIN == kOneTooFar ? i > total : i >= total) return;
  const int column = TWIN == kNarrow ? (unsigned)i % (unsigned)columns + 1 : (int)(i % columns);
  y[i] = x[i] * weights[column];
}

// One thread for each column, and one number of shared memory.
template <Twin TWIN>
__global__ void block_of_columns(const float* x, float* y, int columns) {
  extern __shared__ float row[];
  const int c = threadIdx.x;
  row[c + (TWIN == kOneTooFar ? 1 : 0)] = x[blockIdx.x * (size_t)columns + c];
  if (TWIN != kNoBarrier) __syncthreads();
  y[blockIdx.x * (size_t)columns + c] = row[columns - 1 - c];
}

__device__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

// Multiplies by numbers of a table in global memory.
template <Twin TWIN>
__global__ void by_table(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * table[i % (TWIN == kOneTooFar ? 9 : 8)];
  if (TWIN == kWrites) table[i % 8] = 1.0f;
}

// Sums of rows in two launches: those of parts of a row, then the sum of the parts.
template <Twin TWIN>
__global__ void sums_of_parts(const float* x, float* sums, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int part = blockIdx.y;
  if (row >= rows) return;
  if (TWIN == kOneTooFew && part == 3) return;
  float sum = 0.0f;
  for (int c = part; c < columns; c += 4) sum += x[(size_t)row * columns + c];
  sums[(size_t)part * rows + row] = sum;
}

template <Twin TWIN>
__global__ void sum_of_parts(const float* sums, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int part = 0; part < (TWIN == kOneTooFar ? 5 : 4); ++part) {
    sum += sums[(size_t)part * rows + row];
  }
  y[row] = sum;
}

// Divides where the divisor is not 0, or takes an element that may not exist.
template <Twin TWIN>
__global__ void divided_or_not(const float* x, float* y, int n, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int q = TWIN == kOneTooFar ? i + 1 : i;
  if (w > 0) {
    y[i] = 0;
    for (int r = 0; r < w; ++r) y[i] += x[i / w];
    q = i / w;
  }
  y[i] = x[q];
}
