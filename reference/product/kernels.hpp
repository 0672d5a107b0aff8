// The products that Eigen computes, compiled once for each set of vector instructions. This header
// includes nothing with inline functions: a linker would keep one copy of them, which might contain
// instructions that the CPU lacks.
#pragma once

#include <cstdint>

namespace warpcheck::reference {

/// A dense row-major matrix.
struct MatrixView {
  const double* values;
  std::int64_t rows;
  std::int64_t columns;
};

/// Parameters of the roundings of an accumulator.
struct AccumulatorRounding {
  double unit_roundoff;
  double underflow;
};

/// The functions of one set of vector instructions.
struct ProductKernels {
  /// Sets a.rows x b.columns results to A B.
  void (*multiply)(const MatrixView& a, const MatrixView& b, double* results);
  /// Sets a.rows x b.columns errors: see running_error().
  void (*running_error)(const MatrixView& a, const MatrixView& b,
                        const AccumulatorRounding& rounding, double* errors);
};

extern const ProductKernels kBaselineKernels;
#if defined(__x86_64__)
extern const ProductKernels kAvx2Kernels;
extern const ProductKernels kAvx512Kernels;
#endif

/// Sets a.rows x b.columns results to A B, summed in long double.
void multiply_widely(const MatrixView& a, const MatrixView& b, long double* results);

/// One element of A B, summed in long double.
[[nodiscard]] long double element_of_product(const MatrixView& a, const MatrixView& b,
                                             std::int64_t row, std::int64_t column);

}  // namespace warpcheck::reference
