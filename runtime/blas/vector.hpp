// A vector as an argument, and the combinations of types that the manual lists for functions of
// vectors.
#pragma once

#include "runtime/blas/call.hpp"

namespace warpcheck::runtime {

struct Vector {
  const char* name;
  const void* address;
  cudaDataType type;
  std::int64_t increment;

  [[nodiscard]] Operand operand(std::int64_t n) const {
    return vector_operand(name, address, type, n, increment);
  }
};

/// The type with which functions of a vector of this type compute.
[[nodiscard]] cudaDataType compute_type(cudaDataType element);

// These report types that the manual does not list.

/// A vector, and the type of the computation, which is real for a sum of magnitudes.
cublasStatus_t check_types(const BlasCall& call, const Vector& vector, cudaDataType compute,
                           bool is_real = false);
cublasStatus_t check_type(const BlasCall& call, const char* name, cudaDataType type,
                          cudaDataType expected);

}  // namespace warpcheck::runtime
