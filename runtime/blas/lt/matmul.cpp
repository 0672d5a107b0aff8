// cublasLtMatmul(), and the algorithm with which it computes.
#include <fmt/format.h>

#include "runtime/blas/lt/descriptors.hpp"

using namespace warpcheck::runtime;

namespace {

constexpr int kAlgorithm = 0;  // id of the only one

/// The attributes of an algorithm, which have no effect.
constexpr std::array kAlgorithmAttributes = {
    LtAttribute{CUBLASLT_ALGO_CONFIG_ID, 0, 4},
    LtAttribute{CUBLASLT_ALGO_CONFIG_TILE_ID, 4, 4},
    LtAttribute{CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 8, 4},
    LtAttribute{CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 12, 4},
    LtAttribute{CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 16, 4},
    LtAttribute{CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 20, 4},
    LtAttribute{CUBLASLT_ALGO_CONFIG_STAGES_ID, 24, 4},
    LtAttribute{CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, 28, 2},
    LtAttribute{CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 32, 2},
};

/// The pointers that an epilogue needs.
cublasStatus_t check_epilogue(const BlasCall& call, const Matmul& matmul) {
  constexpr unsigned kMaskAlignment = 128;
  constexpr unsigned kAuxAlignment = 8;
  const Epilogue& epilogue = matmul.epilogue;
  const auto kind = static_cast<unsigned>(epilogue.kind);
  const bool uses_bias = (kind & (CUBLASLT_EPILOGUE_BIAS | 16U | CUBLASLT_EPILOGUE_BGRADA |
                                  CUBLASLT_EPILOGUE_BGRADB)) != 0;
  if (uses_bias && epilogue.bias == nullptr) {
    return call.invalid("the epilogue needs CUBLASLT_MATMUL_DESC_BIAS_POINTER, which is not set");
  }
  if ((kind & 128U) == 0) return CUBLAS_STATUS_SUCCESS;
  if (epilogue.aux == nullptr) {
    return call.invalid(
        "the epilogue needs CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, which is not set");
  }
  const bool is_mask = (kind & (CUBLASLT_EPILOGUE_RELU | 8U)) != 0;
  const std::int64_t multiple = is_mask ? kMaskAlignment : kAuxAlignment;
  if (epilogue.aux_leading >= matmul.m && epilogue.aux_leading % multiple == 0) {
    return CUBLAS_STATUS_SUCCESS;
  }
  return call.invalid(fmt::format(
      "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD is {}, expected a multiple of {} that is {} "
      "or more, the rows of D",
      epilogue.aux_leading, multiple, matmul.m));
}

cublasStatus_t read_factors(const BlasCall& call, int mode, const void* alpha, const void* beta,
                            Matmul& matmul) {
  const cudaDataType type = matmul.types.scale;
  const bool alpha_is_host = mode == CUBLASLT_POINTER_MODE_HOST;
  const bool beta_is_host =
      alpha_is_host || mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
  if (const auto status = call.check_choice("the pointer mode", mode,
                                            CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST)) {
    return status;
  }
  matmul.alpha_per_row = mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  matmul.beta_per_row = mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  if (const auto status = call.read("alpha", alpha, type, !alpha_is_host, matmul.alpha)) {
    return status;
  }
  if (mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO) {
    matmul.beta = {"beta", type};
    return CUBLAS_STATUS_SUCCESS;
  }
  return call.read("beta", beta, type, !beta_is_host, matmul.beta);
}

}  // namespace

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor,
                              const void* alpha, const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout, const void* beta,
                              const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*,
                              size_t, cudaStream_t stream) {
  return blas_call("cublasLtMatmul", handle, stream, [&](BlasCall& call) {
    Matmul matmul;
    if (const auto status =
            read_product(call, {descriptor, a_layout, b_layout, c_layout, d_layout}, matmul)) {
      return status;
    }
    matmul.a.address = a;
    matmul.b.address = b;
    matmul.c.address = c;
    matmul.d.address = d;
    if (const auto status = check_epilogue(call, matmul)) return status;
    if (const auto status =
            read_factors(call, product_of(descriptor).pointer_mode, alpha, beta, matmul)) {
      return status;
    }
    return submit_matmul(call, matmul, true);
  });
}

/// A program may try combinations: one that is not supported is no wrong call.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int requested,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* count) {
  return blas_call("cublasLtMatmulAlgoGetHeuristic", handle, nullptr, [&](BlasCall& call) {
    if (requested <= 0 || results == nullptr || count == nullptr) {
      return call.invalid("no result is requested, or where to write is a null pointer");
    }
    *count = 0;
    Matmul matmul;
    call.set_probing();
    if (const auto status = read_product(call, {descriptor, a, b, c, d}, matmul)) return status;
    results[0] = {};
    results[0].state = CUBLAS_STATUS_SUCCESS;
    results[0].wavesCount = 1;
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t*,
                                       cublasLtMatmulHeuristicResult_t* result) {
  return blas_call("cublasLtMatmulAlgoCheck", handle, nullptr, [&](BlasCall& call) {
    if (result == nullptr) return call.invalid("the pointer to the result is null");
    Matmul matmul;
    call.set_probing();
    result->state = read_product(call, {descriptor, a, b, c, d}, matmul);
    result->workspaceSize = 0;
    result->wavesCount = 1;
    return result->state;
  });
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                        cudaDataType_t c, cudaDataType_t d, int requested, int* ids,
                                        int* count) {
  return blas_call("cublasLtMatmulAlgoGetIds", handle, nullptr, [&](BlasCall& call) {
    if (requested <= 0 || ids == nullptr || count == nullptr) {
      return call.invalid("no result is requested, or where to write is a null pointer");
    }
    *count = is_listed({compute, scale, a, b, c, d}, true) ? 1 : 0;
    if (*count == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
    ids[0] = kAlgorithm;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                      cudaDataType_t c, cudaDataType_t d, int id,
                                      cublasLtMatmulAlgo_t* algorithm) {
  return blas_call("cublasLtMatmulAlgoInit", handle, nullptr, [&](BlasCall& call) {
    if (algorithm == nullptr || id < 0) {
      return call.invalid("the algorithm is a null pointer, or its number is negative");
    }
    if (!is_listed({compute, scale, a, b, c, d}, true)) return CUBLAS_STATUS_NOT_SUPPORTED;
    *algorithm = {};
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t id,
                                                    const void* from, size_t bytes) {
  return set_attribute("cublasLtMatmulAlgoConfigSetAttribute", algorithm, kAlgorithmAttributes, id,
                       from, bytes);
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t id,
                                                    void* to, size_t bytes, size_t* written) {
  return get_attribute("cublasLtMatmulAlgoConfigGetAttribute", algorithm, kAlgorithmAttributes, id,
                       to, bytes, written);
}
