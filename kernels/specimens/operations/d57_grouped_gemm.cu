// Rows of several experts, sorted by expert. The product of each row with the matrix of its expert:
// a tile stores rows of the next expert, or its sums are f16 or bf16. The gradient of these
// matrices: that of an expert without rows is never written; rows of other experts are multiplied
// by 0 instead of left out, so that a NaN there reaches the result.
#include <cuda_fp16.h>

struct Rows {
  int begin;
  int end;
};

__device__ Rows rows_of(const int* ends, int expert, int experts, int tokens) {
  return {expert == 0 ? 0 : ends[expert - 1], expert + 1 < experts ? ends[expert] : tokens};
}

template <bool kStoresNextExpert, bool kHalfSums>
__global__ void grouped_gemm(const float* x, const float* w, const int* ends, float* y, int tokens,
                             int experts, int inner, int columns) {
  const Rows rows = rows_of(ends, blockIdx.y, experts, tokens);
  const float* matrix = w + static_cast<size_t>(blockIdx.y) * inner * columns;
  for (int row0 = rows.begin; row0 < rows.end; row0 += 8) {
    const int row = row0 + threadIdx.y;
    const int column = blockIdx.x * 8 + threadIdx.x;
    if (row >= (kStoresNextExpert ? tokens : rows.end) || column >= columns) continue;
    float sum = 0.0f;
    for (int k = 0; k < inner; ++k) {
      sum += x[static_cast<size_t>(row) * inner + k] *
             matrix[static_cast<size_t>(k) * columns + column];
      if (kHalfSums) sum = __half2float(__float2half(sum));
    }
    y[static_cast<size_t>(row) * columns + column] = sum;  // finding here
  }
}

template <bool kSkipsEmpty, bool kMultiplies>
__global__ void gradient(const float* x, const float* dy, const int* ends,  // finding here
                         float* dw, int tokens, int experts, int inner, int columns) {
  const Rows rows = rows_of(ends, blockIdx.z, experts, tokens);
  const int column = blockIdx.x * 8 + threadIdx.x;
  const int k = blockIdx.y * 8 + threadIdx.y;
  if ((kSkipsEmpty && rows.begin == rows.end) || k >= inner || column >= columns) return;
  float sum = 0.0f;
  for (int t = kMultiplies ? 0 : rows.begin; t < (kMultiplies ? tokens : rows.end); ++t) {
    const float belongs = t >= rows.begin && t < rows.end ? 1.0f : 0.0f;
    sum += belongs * x[static_cast<size_t>(t) * inner + k] *
           dy[static_cast<size_t>(t) * columns + column];
  }
  dw[(static_cast<size_t>(blockIdx.z) * inner + k) * columns + column] = sum;  // finding here
}

#include <cuda_bf16.h>

template <bool kNarrowSums>
__global__ void grouped_gemm_of_bf16(const __nv_bfloat16* x, const __nv_bfloat16* w,
                                     const int* ends, __nv_bfloat16* y, int tokens, int experts,
                                     int inner, int columns) {
  const Rows rows = rows_of(ends, blockIdx.y, experts, tokens);
  const __nv_bfloat16* matrix = w + static_cast<size_t>(blockIdx.y) * inner * columns;
  const int column = blockIdx.x * 8 + threadIdx.x;
  if (column >= columns) return;
  for (int row = rows.begin + threadIdx.y; row < rows.end; row += 8) {
    float sum = 0.0f;
    for (int k = 0; k < inner; ++k) {
      sum += __bfloat162float(x[static_cast<size_t>(row) * inner + k]) *
             __bfloat162float(matrix[static_cast<size_t>(k) * columns + column]);
      if (kNarrowSums) sum = __bfloat162float(__float2bfloat16(sum));
    }
    y[static_cast<size_t>(row) * columns + column] = __float2bfloat16(sum);  // finding here
  }
}
