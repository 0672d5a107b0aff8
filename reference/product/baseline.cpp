// The kernels, compiled for every CPU, and the sums in long double, which has no vectors.
#define WARPCHECK_KERNELS kBaselineKernels
#include "reference/product/eigen_kernels.hpp"

namespace warpcheck::reference {

void multiply_widely(const MatrixView& a, const MatrixView& b, long double* results) {
  Eigen::Map<RowMajor<long double>>(results, a.rows, b.columns).noalias() =
      mapped(a).cast<long double>() * mapped(b).cast<long double>();
}

long double element_of_product(const MatrixView& a, const MatrixView& b, std::int64_t row,
                               std::int64_t column) {
  return mapped(a).row(row).cast<long double>().transpose().dot(
      mapped(b).col(column).cast<long double>());
}

}  // namespace warpcheck::reference
