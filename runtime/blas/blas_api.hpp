// The declarations of cuBLAS and cuBLASLt, whose functions the library exports.
#pragma once

#pragma GCC visibility push(default)
#include <cublasLt.h>
#include <cublas_api.h>
#pragma GCC visibility pop

#include <cuda_runtime_api.h>

#include <set>

/// A handle of cuBLAS. It also is one of cuBLASLt, as the manual states.
struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  int multiprocessors = 0;  // cublasSetSmCountTarget()
};

namespace warpcheck::runtime {

/// The handles that exist; the runtime is locked while they are used.
[[nodiscard]] std::set<const void*>& blas_handles();

}  // namespace warpcheck::runtime
