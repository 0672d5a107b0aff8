// A stencil over cuda::std::mdspan, complex numbers and cuda::std algorithms. The defect: the
// stencil reads a column beyond the view.
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>

#include "../samples/common.h"

constexpr int kRows = 16, kColumns = 24;
using Grid = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;
using Complex = cuda::std::complex<float>;

__device__ cuda::std::optional<float> value(Grid grid, int row, int column, int limit) {
  if (row < 0 || row >= grid.extent(0) || column < 0 || column > limit) return cuda::std::nullopt;
  return grid(row, column);  // finding here
}

__global__ void smooth(Grid in, Grid out, int limit) {
  const int row = threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= in.extent(1)) return;
  const cuda::std::array<cuda::std::tuple<int, int>, 4> offsets{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
  float sum = 0;
  for (const auto& [y, x] : offsets) sum += value(in, row + y, column + x, limit).value_or(0.0f);
  out(row, column) = sum / 4;
}

__global__ void transform(cuda::std::span<const float> in, cuda::std::span<Complex> out) {
  const unsigned k = threadIdx.x;
  Complex sum{};
  for (unsigned i = 0; i < in.size(); ++i) {
    const float angle = -2 * 3.14159265f * static_cast<float>(k * i % in.size()) / in.size();
    sum += in[i] * cuda::std::polar(1.0f, angle);
  }
  out[k] = sum;
}

int main(int argc, char** argv) {
  const Timing timing;
  float *in, *out;
  Complex* spectrum;
  CHECK(cudaMalloc(&in, kRows * kColumns * sizeof(float)));
  CHECK(cudaMalloc(&out, kRows * kColumns * sizeof(float)));
  CHECK(cudaMalloc(&spectrum, kColumns * sizeof(Complex)));
  float host[kRows][kColumns];
  for (auto& row : host)
    for (float& one : row) one = 1;
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  const int limit = kColumns - (has_defect(argc, argv) ? 0 : 1);
  smooth<<<2, dim3(16, kRows)>>>(Grid(in, kRows, kColumns), Grid(out, kRows, kColumns), limit);
  transform<<<1, kColumns>>>({out + kColumns, kColumns}, {spectrum, kColumns});
  Complex zero;
  CHECK(cudaMemcpy(&zero, spectrum, sizeof zero, cudaMemcpyDeviceToHost));
  std::puts(zero.real() > 21.0f && zero.real() < 24.0f ? "correct" : "wrong");
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(spectrum));
}
