// The descriptors of cuBLASLt, as they lie in the structures that programs allocate.
#pragma once

#include <cstdint>

#include "runtime/blas/blas_api.hpp"
#include "runtime/blas/call.hpp"
#include "runtime/blas/matmul.hpp"

namespace warpcheck::runtime {

struct LtLayout {
  std::uint32_t type = CUDA_R_32F;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t leading = 0;
  std::int32_t batch = 1;
  std::uint32_t batch_mode = 0;
  std::int64_t batch_stride = 0;
  std::int64_t plane_offset = 0;
};

struct LtProduct {
  std::int32_t compute = CUBLAS_COMPUTE_32F;
  std::int32_t scale = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = CUBLAS_OP_N;
  std::int32_t transb = CUBLAS_OP_N;
  std::int32_t transc = CUBLAS_OP_N;
  std::int32_t fill = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  std::int32_t multiprocessors = 0;
  std::int32_t aux_type = -1;
  std::int32_t bias_type = -1;
  std::int32_t scale_modes[6] = {};  // A, B, C, D, auxiliary, output
  std::int8_t fast_accumulation = 0;
  const void* bias = nullptr;
  std::int64_t bias_stride = 0;
  const void* aux = nullptr;
  std::int64_t aux_leading = 0;
  std::int64_t aux_stride = 0;
  std::int64_t alpha_stride = 0;
  const void* scales[4] = {};  // A, B, C, D
  const void* d_amax = nullptr;
  const void* aux_scale = nullptr;
  const void* aux_amax = nullptr;
  const void* out_scale = nullptr;
};

struct LtTransform {
  std::int32_t scale = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = CUBLAS_OP_N;
  std::int32_t transb = CUBLAS_OP_N;
};

/// The preferences of a program. The one algorithm that there is fits all.
struct LtPreference {
  std::uint32_t search_mode = 0;
  std::uint32_t reduction_schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint64_t workspace_bytes = 0;
  std::uint32_t alignments[4] = {256, 256, 256, 256};
  float waves = 0;
  std::uint64_t implementations = ~std::uint64_t{0};
};

/// A field of a descriptor.
struct LtAttribute {
  int id = 0;
  std::size_t offset = 0;  // bytes
  std::size_t bytes = 0;
};

// These return CUBLAS_STATUS_INVALID_VALUE, and report it, if there is no such attribute or its
// size differs.
cublasStatus_t set_attribute(const char* function, void* descriptor,
                             std::span<const LtAttribute> attributes, int id, const void* from,
                             std::size_t bytes);
cublasStatus_t get_attribute(const char* function, const void* descriptor,
                             std::span<const LtAttribute> attributes, int id, void* to,
                             std::size_t bytes, std::size_t* written);

[[nodiscard]] inline const LtLayout& layout_of(cublasLtMatrixLayout_t layout) {
  return *reinterpret_cast<const LtLayout*>(layout->data);
}
[[nodiscard]] inline const LtProduct& product_of(cublasLtMatmulDesc_t product) {
  return *reinterpret_cast<const LtProduct*>(product->data);
}
[[nodiscard]] inline const LtTransform& transform_of(cublasLtMatrixTransformDesc_t transform) {
  return *reinterpret_cast<const LtTransform*>(transform->data);
}

/// The matrix of a layout. Reports orders that warpcheck does not implement and leading dimensions
/// that are too small.
cublasStatus_t read_layout(const BlasCall& call, const char* name, const void* address,
                           cublasLtMatrixLayout_t layout, int op, MatrixArgument& matrix);

/// The descriptors of a product.
struct LtMatmulArguments {
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t a;
  cublasLtMatrixLayout_t b;
  cublasLtMatrixLayout_t c;
  cublasLtMatrixLayout_t d;
};

/// Sets all but what the addresses of the operands determine.
cublasStatus_t read_product(const BlasCall& call, const LtMatmulArguments& arguments,
                            Matmul& matmul);

}  // namespace warpcheck::runtime
