// The combinations of types that the manual lists for products of matrices.
#pragma once

#include "runtime/blas/blas_api.hpp"

namespace warpcheck::runtime {

struct MatmulTypes {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType scale = CUDA_R_32F;
  cudaDataType a = CUDA_R_32F;
  cudaDataType b = CUDA_R_32F;
  cudaDataType c = CUDA_R_32F;
  cudaDataType d = CUDA_R_32F;
};

/// `extended`: cublasLtMatmul() accepts more than cublasGemmEx().
[[nodiscard]] bool is_listed(const MatmulTypes& types, bool extended);

/// The type of alpha and beta of cublasGemmEx().
[[nodiscard]] cudaDataType scale_type(cublasComputeType_t compute, cudaDataType c);

[[nodiscard]] bool is_8_bit_float(cudaDataType type);

}  // namespace warpcheck::runtime
