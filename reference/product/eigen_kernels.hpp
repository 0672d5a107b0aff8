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

using Numbers = Eigen::Array<double, 1, Eigen::Dynamic>;

/// The products of one factor with the numbers of a row, and their errors.
class Products {
 public:
  explicit Products(const ProductRounding& rounding) : rounding_(rounding) {}

  void multiply(const FactorRow& row) {
    const std::int64_t count = row.end - row.first;
    const Eigen::InnerStride<> stride(row.stride);
    numbers_ = Strided(row.values, count, stride);
    value_ = row.factor * numbers_;
    magnitude_ = value_.abs();
    if (row.errors == nullptr) {
      inherited_ = row.factor_error * numbers_.abs();
    } else {
      const Strided errors(row.errors, count, stride);
      inherited_ = std::abs(row.factor) * errors + row.factor_error * numbers_.abs() +
                   row.factor_error * errors;
    }
    set_rest(row.factor);
    set_error();
  }

  void add_to(const ProductTotals& totals, std::int64_t first) const {
    const auto at = [&](double* all) { return Eigen::Map<Numbers>(all + first, numbers_.size()); };
    constexpr double kInfinity = __builtin_inf();
    const auto is_zero = magnitude_ == 0.0;
    const auto counts = !is_zero || error_ != 0.0;
    at(totals.values) += value_;
    at(totals.magnitudes) += magnitude_;
    at(totals.errors) += error_;
    at(totals.terms) += counts.template cast<double>();
    at(totals.least) = at(totals.least).min(counts.select(magnitude_ - error_, kInfinity));
    at(totals.smallest) = at(totals.smallest).min(is_zero.select(kInfinity, magnitude_));
    at(totals.largest) = at(totals.largest).max(numbers_.abs());
  }

 private:
  using Strided = Eigen::Map<const Numbers, 0, Eigen::InnerStride<>>;

  /// Sets what the products in double lack (Dekker 1971): each factor is split into two halves.
  void set_rest(double factor) {
    constexpr double kSplitter = 0x1p27 + 1.0;
    const double scaled = kSplitter * factor;
    const double high = scaled - (scaled - factor);
    const double low = factor - high;
    high_ = kSplitter * numbers_;
    high_ = high_ - (high_ - numbers_);
    low_ = numbers_ - high_;
    rest_ = (high * high_ - value_ + high * low_ + low * high_) + low * low_;
  }

  /// Sets the errors of Arithmetic::rounded(). 0: an exact product that the format contains.
  void set_error() {
    const double u = rounding_.unit_roundoff;
    high_ = rounding_.splitter * value_;
    high_ = high_ - (high_ - value_);
    const double shift = 0x1.8p52 * rounding_.subnormal_step;
    low_ = (value_ + shift) - shift;
    own_ = (rest_ == 0.0).select(0.0, 0x1p-52 * magnitude_);
    const auto rounding = u * (magnitude_ + inherited_) * (1.0 + 4.0 * u);
    error_ = (inherited_ + rounding + own_ + rounding_.step) * (1.0 + 0x1p-50);
    const auto is_in_format = (magnitude_ < rounding_.least_normal && low_ == value_) ||
                              (magnitude_ >= rounding_.least_normal && high_ == value_);
    error_ = (is_in_format && rest_ == 0.0 && inherited_ == 0.0).select(0.0, error_);
  }

  const ProductRounding& rounding_;
  Numbers numbers_, value_, magnitude_, inherited_, high_, low_, rest_, own_, error_;
};

void add_products(const FactorRow* rows, std::int64_t count, const ProductRounding& rounding,
                  const ProductTotals& totals) {
  Products products(rounding);
  for (std::int64_t i = 0; i < count; ++i) {
    products.multiply(rows[i]);
    products.add_to(totals, rows[i].first);
  }
}

}  // namespace

const ProductKernels WARPCHECK_KERNELS = {multiply, running_error, add_products};

}  // namespace warpcheck::reference
