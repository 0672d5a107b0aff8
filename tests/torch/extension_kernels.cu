// Ten operators in the style of public extensions of PyTorch. Each has a variant with one defect.
#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>

#include <cstdint>

using torch::Tensor;

constexpr int kThreads = 128;

__device__ float block_sum(float value, float* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) shared[threadIdx.x] += shared[threadIdx.x + width];
    __syncthreads();
  }
  return shared[0];
}

template <bool wrong>
__global__ void relu(const float* x, float* y, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (wrong ? i <= n : i < n) y[i] = fmaxf(x[i], 0);
}

template <bool wrong>
__global__ void layer_norm(const float* x, float* y, int columns) {
  __shared__ float shared[kThreads];
  x += blockIdx.x * columns;
  y += blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) sum += x[i];
  const float mean = block_sum(sum, shared) / columns;
  if (!wrong) __syncthreads();
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) squares += (x[i] - mean) * (x[i] - mean);
  const float scale = rsqrtf(block_sum(squares, shared) / columns + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += kThreads) y[i] = (x[i] - mean) * scale;
}

template <bool wrong>
__global__ void embedding(const float* table, const int64_t* ids, float* y, int rows, int columns,
                          int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count * columns) return;
  const int64_t id = ids[i / columns];
  if (!wrong && (id < 0 || id >= rows)) {
    y[i] = 0;
    return;
  }
  y[i] = table[id * columns + i % columns];
}

template <bool wrong>
__global__ void segment_sum(const float* x, const int64_t* segments, float* y, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  if (wrong) {
    y[segments[i]] += x[i];
  } else {
    atomicAdd(y + segments[i], x[i]);
  }
}

template <bool wrong>
__global__ void row_max(const float* x, float* y, int columns) {
  __shared__ float shared[kThreads];
  if (!wrong || threadIdx.x < columns) {
    float peak = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += kThreads) {
      peak = fmaxf(peak, x[blockIdx.x * columns + i]);
    }
    shared[threadIdx.x] = peak;
  }
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + width]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = shared[0];
}

template <bool wrong>
__global__ void row_dot(const float* a, const float* b, float* y, int rows, int columns) {
  const int row = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns; i += 32) sum += a[row * columns + i] * b[row * columns + i];
  if (wrong && lane >= columns) return;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) y[row] = sum;
}

template <bool wrong>
__global__ void transpose(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[16][17];
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x] = x[row * columns + column];
  if (!wrong) __syncthreads();
  const int to_row = blockIdx.x * 16 + threadIdx.y;
  const int to_column = blockIdx.y * 16 + threadIdx.x;
  if (to_row < columns && to_column < rows) {
    y[to_row * rows + to_column] = tile[threadIdx.x][threadIdx.y];
  }
}

template <bool wrong>
__global__ void add_vectors(const float* x, const float* z, float* y, int n) {
  const int i = 4 * (blockIdx.x * kThreads + threadIdx.x);
  const bool is_aligned = (reinterpret_cast<uintptr_t>(x) | reinterpret_cast<uintptr_t>(z) |
                           reinterpret_cast<uintptr_t>(y)) %
                              16 ==
                          0;
  if (i + 4 <= n && (wrong || is_aligned)) {
    const float4 a = *reinterpret_cast<const float4*>(x + i);
    const float4 b = *reinterpret_cast<const float4*>(z + i);
    *reinterpret_cast<float4*>(y + i) = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    return;
  }
  for (int j = i; j < min(i + 4, n); ++j) y[j] = x[j] + z[j];
}

template <bool wrong>
__global__ void prefix_sum(const float* x, float* y, int n) {
  __shared__ float shared[kThreads];
  shared[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0;
  __syncthreads();
  for (int offset = 1; offset < kThreads; offset *= 2) {
    const float other = threadIdx.x >= offset ? shared[threadIdx.x - offset] : 0;
    if (!wrong) __syncthreads();
    shared[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x < n) y[threadIdx.x] = shared[threadIdx.x];
}

template <bool wrong>
__global__ void rotary(const float* x, const float* angles, float* y, int count, int half) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count * half) return;
  const int row = i / half;
  const int column = i % half;
  const float angle = angles[row * half + column];
  const float a = x[row * 2 * half + column];
  const float b = x[row * 2 * half + half + column];
  y[row * 2 * half + column] = a * cosf(angle) - b * sinf(angle);
  if (!wrong || column != half - 1) {
    y[row * 2 * half + half + column] = b * cosf(angle) + a * sinf(angle);
  }
}

template <bool wrong>
__global__ void square(const float* x, float* y, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}

// Calls a kernel, or its variant with the defect.
#define RUN(kernel, grid, block, ...)                         \
  do {                                                        \
    const auto stream = c10::cuda::getCurrentCUDAStream();    \
    if (wrong)                                                \
      kernel<true><<<grid, block, 0, stream>>>(__VA_ARGS__);  \
    else                                                      \
      kernel<false><<<grid, block, 0, stream>>>(__VA_ARGS__); \
  } while (false)

int blocks(int64_t n) { return static_cast<int>((n + kThreads - 1) / kThreads); }
const float* in(const Tensor& x) { return x.data_ptr<float>(); }
float* out(Tensor& y) { return y.data_ptr<float>(); }

Tensor run_relu(const Tensor& x, bool wrong) {
  auto y = torch::empty_like(x);
  RUN(relu, blocks(x.numel()), kThreads, in(x), out(y), x.numel());
  return y;
}

Tensor run_layer_norm(const Tensor& x, bool wrong) {
  auto y = torch::empty_like(x);
  RUN(layer_norm, x.size(0), kThreads, in(x), out(y), x.size(1));
  return y;
}

Tensor run_embedding(const Tensor& table, const Tensor& ids, bool wrong) {
  auto y = torch::empty({ids.numel(), table.size(1)}, table.options());
  RUN(embedding, blocks(y.numel()), kThreads, in(table), ids.data_ptr<int64_t>(), out(y),
      table.size(0), table.size(1), ids.numel());
  return y;
}

Tensor run_segment_sum(const Tensor& x, const Tensor& segments, int64_t count, bool wrong) {
  auto y = torch::zeros({count}, x.options());
  RUN(segment_sum, blocks(x.numel()), kThreads, in(x), segments.data_ptr<int64_t>(), out(y),
      x.numel());
  return y;
}

Tensor run_row_max(const Tensor& x, bool wrong) {
  auto y = torch::empty({x.size(0)}, x.options());
  RUN(row_max, x.size(0), kThreads, in(x), out(y), x.size(1));
  return y;
}

Tensor run_row_dot(const Tensor& a, const Tensor& b, bool wrong) {
  auto y = torch::empty({a.size(0)}, a.options());
  RUN(row_dot, (a.size(0) + 3) / 4, kThreads, in(a), in(b), out(y), a.size(0), a.size(1));
  return y;
}

Tensor run_transpose(const Tensor& x, bool wrong) {
  auto y = torch::empty({x.size(1), x.size(0)}, x.options());
  const dim3 grid((x.size(1) + 15) / 16, (x.size(0) + 15) / 16);
  RUN(transpose, grid, dim3(16, 16), in(x), out(y), x.size(0), x.size(1));
  return y;
}

Tensor run_add_vectors(const Tensor& x, const Tensor& z, bool wrong) {
  auto y = torch::empty_like(x);
  RUN(add_vectors, blocks((x.numel() + 3) / 4), kThreads, in(x), in(z), out(y), x.numel());
  return y;
}

Tensor run_prefix_sum(const Tensor& x, bool wrong) {
  auto y = torch::empty_like(x);
  RUN(prefix_sum, 1, kThreads, in(x), out(y), x.numel());
  return y;
}

// The defect shows in the kernel that reads the result.
Tensor run_rotary(const Tensor& x, const Tensor& angles, bool wrong) {
  auto y = torch::empty_like(x);
  RUN(rotary, blocks(angles.numel()), kThreads, in(x), in(angles), out(y), x.size(0),
      angles.size(1));
  auto z = torch::empty_like(y);
  RUN(square, blocks(y.numel()), kThreads, in(y), out(z), y.numel());
  return z;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.def("relu", &run_relu);
  module.def("layer_norm", &run_layer_norm);
  module.def("embedding", &run_embedding);
  module.def("segment_sum", &run_segment_sum);
  module.def("row_max", &run_row_max);
  module.def("row_dot", &run_row_dot);
  module.def("transpose", &run_transpose);
  module.def("add_vectors", &run_add_vectors);
  module.def("prefix_sum", &run_prefix_sum);
  module.def("rotary", &run_rotary);
}
