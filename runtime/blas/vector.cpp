#include "runtime/blas/vector.hpp"

#include <fmt/format.h>

namespace warpcheck::runtime {

cudaDataType compute_type(cudaDataType element) {
  return element == CUDA_R_16F || element == CUDA_R_16BF ? CUDA_R_32F : element;
}

cublasStatus_t check_types(const BlasCall& call, const Vector& vector, cudaDataType compute,
                           bool is_real) {
  const cudaDataType expected = compute_type(vector.type);
  const bool is_listed = expected == CUDA_R_32F || expected == CUDA_R_64F ||
                         expected == CUDA_C_32F || expected == CUDA_C_64F;
  if (is_listed && compute == (is_real ? real_type(expected) : expected)) {
    return CUBLAS_STATUS_SUCCESS;
  }
  return call.not_supported(
      fmt::format("the manual lists no {} of type {} with the execution type {}", vector.name,
                  describe(vector.type), describe(compute)));
}

cublasStatus_t check_type(const BlasCall& call, const char* name, cudaDataType type,
                          cudaDataType expected) {
  if (type == expected) return CUBLAS_STATUS_SUCCESS;
  return call.not_supported(
      fmt::format("the type of {} is {}, expected {}", name, describe(type), describe(expected)));
}

}  // namespace warpcheck::runtime
