// Products of packed matrices, computed by Eigen. Each source is compiled for other vector
// instructions, so that this header includes nothing with inline functions: a linker would keep one
// copy of them, which might contain instructions that the CPU lacks.
#pragma once

#include <cstdint>

namespace warpcheck::runtime {

/// C = A B: m x k, k x n and m x n numbers, one column after the other.
template <class Real>
struct PackedProduct {
  const Real* a;
  const Real* b;
  Real* c;
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
};

/// The functions of one set of vector instructions. Products and sums are rounded to the format.
struct BlasKernels {
  void (*multiply_f16)(const PackedProduct<float>& product);  // numbers of f16
  void (*multiply_f32)(const PackedProduct<float>& product);
  void (*multiply_f64)(const PackedProduct<double>& product);
  void (*multiply_s32)(const PackedProduct<std::int32_t>& product);  // sums wrap around
};

extern const BlasKernels kBaselineBlasKernels;
#if defined(__x86_64__)
extern const BlasKernels kAvx2BlasKernels;
extern const BlasKernels kAvx512BlasKernels;
#endif

}  // namespace warpcheck::runtime
