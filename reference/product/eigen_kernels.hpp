// The kernels as Eigen expressions. Each source that includes this header is compiled for other
// vector instructions. It defines WARPCHECK_KERNELS, the name of its table, and renames Eigen's
// namespace, so that no inline function is shared with a source that is compiled otherwise.
#pragma once

// The sizes of the blocks, and with them the order of each sum, do not depend on the caches.
#define EIGEN_NO_CPUID
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

#include "reference/product/kernels.hpp"

namespace warpcheck::reference {
namespace {

template <class Real>
using RowMajor = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor<double>> mapped(const MatrixView& matrix) {
  return {matrix.values, matrix.rows, matrix.columns};
}

void multiply(const MatrixView& a, const MatrixView& b, double* results) {
  Eigen::Map<RowMajor<double>>(results, a.rows, b.columns).noalias() = mapped(a) * mapped(b);
}

void running_error(const MatrixView& a, const MatrixView& b, const AccumulatorRounding& rounding,
                   double* errors) {
  using Row = Eigen::Array<double, 1, Eigen::Dynamic>;
  const auto factors = mapped(a).array();
  const auto terms = mapped(b).array();
  const double u = rounding.unit_roundoff;
  Row product(b.columns);
  Row prefix(b.columns);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    Eigen::Map<Row> error(errors + i * b.columns, b.columns);
    error.setZero();
    prefix.setZero();
    for (std::int64_t k = 0; k < a.columns; ++k) {
      product = factors(i, k) * terms.row(k);
      prefix += product;
      error = (error + u * (product.abs() + prefix.abs())) * (1.0 + 2.0 * u) + rounding.underflow;
    }
  }
}

}  // namespace

const ProductKernels WARPCHECK_KERNELS = {multiply, running_error};

}  // namespace warpcheck::reference
