#include "runtime/blas/types.hpp"

#include <algorithm>
#include <array>

#include "runtime/blas/kernels/elements.hpp"

namespace warpcheck::runtime {
namespace {

/// Types of computation that accept the same operands.
enum class Compute : std::uint8_t { none, f16, f32, f32_fast, f64, s32 };

Compute compute_of(cublasComputeType_t type) {
  switch (type) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return Compute::f16;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return Compute::f32;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return Compute::f64;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return Compute::s32;
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return Compute::f32_fast;
    default:
      // Newer Toolkits emulate f32 and f64.
      return static_cast<int>(type) == 78   ? Compute::f32_fast
             : static_cast<int>(type) == 79 ? Compute::f64
                                            : Compute::none;
  }
}

struct Row {
  Compute compute;
  cudaDataType scale;
  cudaDataType factors;  // A and B
  cudaDataType results;  // C and D
  bool extended = false;
};

constexpr std::array kRows = {
    Row{Compute::f16, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    Row{Compute::s32, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I},
    Row{Compute::s32, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I, true},
    Row{Compute::f32, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF},
    Row{Compute::f32, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F},
    Row{Compute::f32, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F},
    Row{Compute::f32, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F},
    Row{Compute::f32, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F},
    Row{Compute::f32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    Row{Compute::f32, CUDA_C_32F, CUDA_C_8I, CUDA_C_32F},
    Row{Compute::f32, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    Row{Compute::f32_fast, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    Row{Compute::f32_fast, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    Row{Compute::f64, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    Row{Compute::f64, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
};

/// Both factors have 8 bits, and not both are e5m2.
bool is_listed_8_bit(const MatmulTypes& types) {
  const bool has_e5m2 = types.a == CUDA_R_8F_E5M2 || types.b == CUDA_R_8F_E5M2;
  if (compute_of(types.compute) != Compute::f32 || types.scale != CUDA_R_32F) return false;
  if (types.a == CUDA_R_8F_E5M2 && types.b == CUDA_R_8F_E5M2) return false;
  if (types.c == CUDA_R_32F) return types.d == CUDA_R_32F;
  return (types.c == CUDA_R_16F || types.c == CUDA_R_16BF) &&
         (types.d == types.c || types.d == CUDA_R_8F_E4M3 ||
          (has_e5m2 && types.d == CUDA_R_8F_E5M2));
}

}  // namespace

bool is_8_bit_float(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

bool is_listed(const MatmulTypes& types, bool extended) {
  if (is_8_bit_float(types.a) && is_8_bit_float(types.b)) {
    return extended && is_listed_8_bit(types);
  }
  return std::any_of(kRows.begin(), kRows.end(), [&](const Row& row) {
    return row.compute == compute_of(types.compute) && row.scale == types.scale &&
           row.factors == types.a && row.factors == types.b && row.results == types.c &&
           row.results == types.d && (extended || !row.extended);
  });
}

cudaDataType scale_type(cublasComputeType_t compute, cudaDataType c) {
  switch (compute_of(compute)) {
    case Compute::f16:
      return CUDA_R_16F;
    case Compute::s32:
      return CUDA_R_32I;
    case Compute::f64:
      return is_complex(c) ? CUDA_C_64F : CUDA_R_64F;
    default:
      return is_complex(c) ? CUDA_C_32F : CUDA_R_32F;
  }
}

}  // namespace warpcheck::runtime
