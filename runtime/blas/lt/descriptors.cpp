#include "runtime/blas/lt/descriptors.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>

namespace warpcheck::runtime {
namespace {

#define WARPCHECK_FIELD(id, type, field) \
  LtAttribute { id, offsetof(type, field), sizeof(type::field) }
constexpr std::array kLayoutAttributes = {
    WARPCHECK_FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, LtLayout, type),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, LtLayout, order),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, LtLayout, rows),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, LtLayout, columns),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_LAYOUT_LD, LtLayout, leading),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, LtLayout, batch),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LtLayout, batch_stride),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, LtLayout, plane_offset),
    WARPCHECK_FIELD(8, LtLayout, batch_mode),  // CUBLASLT_MATRIX_LAYOUT_BATCH_MODE
};

// Numbers instead of names are those of newer versions.
constexpr std::array kProductAttributes = {
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, LtProduct, compute),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, LtProduct, scale),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, LtProduct, pointer_mode),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_TRANSA, LtProduct, transa),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_TRANSB, LtProduct, transb),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_TRANSC, LtProduct, transc),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, LtProduct, fill),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, LtProduct, epilogue),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, LtProduct, bias),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, LtProduct, bias_stride),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, LtProduct, aux),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, LtProduct, aux_leading),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, LtProduct, aux_stride),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, LtProduct, alpha_stride),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, LtProduct, multiprocessors),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, LtProduct, scales[0]),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, LtProduct, scales[1]),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, LtProduct, scales[2]),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, LtProduct, scales[3]),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, LtProduct, d_amax),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, LtProduct, aux_type),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, LtProduct, aux_scale),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, LtProduct, aux_amax),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, LtProduct, fast_accumulation),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, LtProduct, bias_type),
    WARPCHECK_FIELD(31, LtProduct, scale_modes[0]),  // CUBLASLT_MATMUL_DESC_A_SCALE_MODE
    WARPCHECK_FIELD(32, LtProduct, scale_modes[1]),
    WARPCHECK_FIELD(33, LtProduct, scale_modes[2]),
    WARPCHECK_FIELD(34, LtProduct, scale_modes[3]),
    WARPCHECK_FIELD(35, LtProduct, scale_modes[4]),
    WARPCHECK_FIELD(36, LtProduct, out_scale),
    WARPCHECK_FIELD(37, LtProduct, scale_modes[5]),
};

constexpr std::array kTransformAttributes = {
    WARPCHECK_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, LtTransform, scale),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, LtTransform, pointer_mode),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, LtTransform, transa),
    WARPCHECK_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, LtTransform, transb),
};

constexpr std::array kPreferenceAttributes = {
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, LtPreference, search_mode),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, LtPreference, workspace_bytes),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, LtPreference, reduction_schemes),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, LtPreference, alignments[0]),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, LtPreference, alignments[1]),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, LtPreference, alignments[2]),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, LtPreference, alignments[3]),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, LtPreference, waves),
    WARPCHECK_FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, LtPreference, implementations),
};
#undef WARPCHECK_FIELD

static_assert(sizeof(LtLayout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(LtProduct) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(LtTransform) <= sizeof(cublasLtMatrixTransformDescOpaque_t));
static_assert(sizeof(LtPreference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));

cublasStatus_t report(const char* function, const std::string& message) {
  static_cast<void>(locked_call([&](Runtime& runtime) {
    return runtime.misuse(cudaErrorInvalidValue, fmt::format("{}: {}", function, message));
  }));
  return CUBLAS_STATUS_INVALID_VALUE;
}

const LtAttribute* find(std::span<const LtAttribute> attributes, int id) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const LtAttribute& one) { return one.id == id; });
  return found == attributes.end() ? nullptr : &*found;
}

template <class Opaque, class Descriptor>
cublasStatus_t initialize(const char* function, Opaque* storage, std::size_t bytes,
                          const Descriptor& descriptor) {
  if (storage == nullptr) return report(function, "the descriptor is a null pointer");
  if (bytes < sizeof(Opaque)) return CUBLAS_STATUS_ALLOC_FAILED;
  new (storage->data) Descriptor(descriptor);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Opaque, class Descriptor>
cublasStatus_t create(const char* function, Opaque** result, const Descriptor& descriptor) {
  if (result == nullptr) return report(function, "the pointer to the result is null");
  *result = new Opaque();
  return initialize(function, *result, sizeof(Opaque), descriptor);
}

template <class Opaque>
cublasStatus_t destroy(Opaque* descriptor) {
  delete descriptor;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

cublasStatus_t set_attribute(const char* function, void* descriptor,
                             std::span<const LtAttribute> attributes, int id, const void* from,
                             std::size_t bytes) {
  const LtAttribute* const attribute = find(attributes, id);
  if (descriptor == nullptr || from == nullptr) {
    return report(function, "the descriptor or the value is a null pointer");
  }
  if (attribute == nullptr) return report(function, fmt::format("there is no attribute {}", id));
  if (attribute->bytes != bytes) {
    return report(function, fmt::format("attribute {} has {} bytes, but the size is {} bytes", id,
                                        attribute->bytes, bytes));
  }
  std::memcpy(static_cast<std::byte*>(descriptor) + attribute->offset, from, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get_attribute(const char* function, const void* descriptor,
                             std::span<const LtAttribute> attributes, int id, void* to,
                             std::size_t bytes, std::size_t* written) {
  const LtAttribute* const attribute = find(attributes, id);
  if (attribute == nullptr) return report(function, fmt::format("there is no attribute {}", id));
  if (descriptor == nullptr || (bytes == 0 ? written == nullptr : to == nullptr)) {
    return report(function, "the descriptor, or where to write, is a null pointer");
  }
  if (bytes != 0 && bytes != attribute->bytes) {
    return report(function, fmt::format("attribute {} has {} bytes, but the size is {} bytes", id,
                                        attribute->bytes, bytes));
  }
  if (bytes != 0) {
    std::memcpy(to, static_cast<const std::byte*>(descriptor) + attribute->offset, bytes);
  }
  if (written != nullptr) *written = attribute->bytes;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace warpcheck::runtime

using namespace warpcheck::runtime;

namespace {

LtLayout layout(cudaDataType type, std::uint64_t rows, std::uint64_t columns,
                std::int64_t leading) {
  return {static_cast<std::uint32_t>(type), CUBLASLT_ORDER_COL, rows, columns, leading};
}

}  // namespace

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t storage, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t leading) {
  return initialize("cublasLtMatrixLayoutInit", storage, size,
                    layout(type, rows, columns, leading));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* result, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t leading) {
  return create("cublasLtMatrixLayoutCreate", result, layout(type, rows, columns, leading));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t storage, size_t size,
                                               cublasComputeType_t compute, cudaDataType_t scale) {
  return initialize("cublasLtMatmulDescInit", storage, size, LtProduct{compute, scale});
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* result, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return create("cublasLtMatmulDescCreate", result, LtProduct{compute, scale});
}
cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t storage,
                                                        size_t size, cudaDataType scale) {
  return initialize("cublasLtMatrixTransformDescInit", storage, size, LtTransform{scale});
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* result,
                                                 cudaDataType scale) {
  return create("cublasLtMatrixTransformDescCreate", result, LtTransform{scale});
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t storage,
                                                     size_t size) {
  return initialize("cublasLtMatmulPreferenceInit", storage, size, LtPreference{});
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* result) {
  return create("cublasLtMatmulPreferenceCreate", result, LtPreference{});
}

// The other functions of each descriptor.
#define WARPCHECK_DESCRIPTOR(name, Attribute, attributes)                                       \
  cublasStatus_t name##Destroy(name##_t descriptor) { return destroy(descriptor); }             \
  cublasStatus_t name##SetAttribute(name##_t descriptor, Attribute id, const void* from,        \
                                    size_t bytes) {                                             \
    return set_attribute(#name "SetAttribute", descriptor, attributes, id, from, bytes);        \
  }                                                                                             \
  cublasStatus_t name##GetAttribute(name##_t descriptor, Attribute id, void* to, size_t bytes,  \
                                    size_t* written) {                                          \
    return get_attribute(#name "GetAttribute", descriptor, attributes, id, to, bytes, written); \
  }
WARPCHECK_DESCRIPTOR(cublasLtMatrixLayout, cublasLtMatrixLayoutAttribute_t, kLayoutAttributes)
WARPCHECK_DESCRIPTOR(cublasLtMatmulDesc, cublasLtMatmulDescAttributes_t, kProductAttributes)
WARPCHECK_DESCRIPTOR(cublasLtMatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t,
                     kTransformAttributes)
WARPCHECK_DESCRIPTOR(cublasLtMatmulPreference, cublasLtMatmulPreferenceAttributes_t,
                     kPreferenceAttributes)
