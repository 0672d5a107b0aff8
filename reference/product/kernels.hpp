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

/// A factor, and the numbers of a row that it multiplies.
struct FactorRow {
  double factor;
  double factor_error;
  const double* values;  // number `first` of the row
  const double* errors;  // null: the numbers are exact
  std::int64_t stride;
  std::int64_t first;
  std::int64_t end;
};

/// Parameters of the rounding of a product to a format.
struct ProductRounding {
  double unit_roundoff;
  double step;      // added to the error of each rounding
  double splitter;  // 2^(53 - precision) + 1
  double least_normal;
  double subnormal_step;
};

/// The products of each number of a row, added up in the order of the factors.
struct ProductTotals {
  double* values;
  double* magnitudes;
  double* errors;
  double* terms;     // products that are not exactly zero
  double* least;     // least magnitude of these, less its error
  double* smallest;  // least magnitude other than zero of a product
  double* largest;   // largest magnitude of a number
};

/// The functions of one set of vector instructions.
struct ProductKernels {
  /// Sets a.rows x b.columns results to A B.
  void (*multiply)(const MatrixView& a, const MatrixView& b, double* results);
  /// Sets a.rows x b.columns errors: see running_error().
  void (*running_error)(const MatrixView& a, const MatrixView& b,
                        const AccumulatorRounding& rounding, double* errors);
  /// Adds the products of so many rows to the totals, each with the error of
  /// Arithmetic::multiply(). The results are the same for all vectors.
  void (*add_products)(const FactorRow* rows, std::int64_t count, const ProductRounding& rounding,
                       const ProductTotals& totals);
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
