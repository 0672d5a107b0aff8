// A cublasLt without a GPU. It multiplies f32 matrices in the memory of the host, by columns.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

struct Description {
  int transposes[2] = {};
};

struct Layout {
  std::uint64_t rows;
  std::uint64_t columns;
  std::int64_t leading;
};

float element(const void* matrix, const Layout* layout, int transposed, std::uint64_t row,
              std::uint64_t column) {
  if (transposed != 0) return element(matrix, layout, 0, column, row);
  return static_cast<const float*>(
      matrix)[row + column * static_cast<std::uint64_t>(layout->leading)];
}

}  // namespace

extern "C" {

int cublasLtCreate(void** handle) {
  *handle = nullptr;
  return 0;
}
int cublasLtMatmulDescCreate(void** description, int, int) {
  *description = new Description;
  return 0;
}
int cublasLtMatmulDescSetAttribute(void* description, int attribute, const void* value,
                                   std::size_t bytes) {
  if (attribute == 3 || attribute == 4) {
    std::memcpy(&static_cast<Description*>(description)->transposes[attribute - 3], value, bytes);
  }
  return 0;
}
int cublasLtMatmulDescDestroy(void* description) {
  delete static_cast<Description*>(description);
  return 0;
}
int cublasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                               std::int64_t leading) {
  *layout = new Layout{rows, columns, leading};
  return type == 0 ? 0 : 15;
}
int cublasLtMatrixLayoutDestroy(void* layout) {
  delete static_cast<Layout*>(layout);
  return 0;
}
int cublasLtMatmulPreferenceCreate(void** preference) {
  *preference = nullptr;
  return 0;
}
int cublasLtMatmulPreferenceSetAttribute(void*, int, const void*, std::size_t) { return 0; }
int cublasLtMatmulPreferenceDestroy(void*) { return 0; }
int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void*, int, void*,
                                   int* count) {
  *count = 1;
  return 0;
}
int cublasLtMatmul(void*, void* description, const void* alpha, const void* a, void* layout_a,
                   const void* b, void* layout_b, const void*, const void*, void*, void* d,
                   void* layout_d, const void*, void*, std::size_t, void*) {
  const auto* const how = static_cast<Description*>(description);
  const auto* const first = static_cast<Layout*>(layout_a);
  const auto* const second = static_cast<Layout*>(layout_b);
  const auto* const result = static_cast<Layout*>(layout_d);
  const std::uint64_t depth = how->transposes[0] != 0 ? first->rows : first->columns;
  for (std::uint64_t i = 0; i < result->rows; ++i) {
    for (std::uint64_t j = 0; j < result->columns; ++j) {
      float sum = 0.0F;
      for (std::uint64_t k = 0; k < depth; ++k) {
        sum += element(a, first, how->transposes[0], i, k) *
               element(b, second, how->transposes[1], k, j);
      }
      static_cast<float*>(d)[i + j * static_cast<std::uint64_t>(result->leading)] =
          *static_cast<const float*>(alpha) * sum;
    }
  }
  return 0;
}
}
