// Products of matrices in double.
#pragma once

#include <cstdint>

#include "reference/gemm.hpp"

namespace warpcheck::reference {

/// A B. Each product of two elements must be a double, as those of f32 are. The products of each
/// element are added in ascending order of k, in double, so that the result does not depend on the
/// CPU. Keeps a reference to A.
class MatrixProduct {
 public:
  MatrixProduct(const Matrix& a, const Matrix& b);

  [[nodiscard]] std::int64_t columns() const { return columns_; }

  /// The number of rows that are best computed together: a cache holds some matrices of them.
  [[nodiscard]] std::int64_t rows_at_once() const;

  /// Computes rows of the product, from `first` to before `end`, one after the other.
  void rows(std::int64_t first, std::int64_t end, double* results) const;

 private:
  const Matrix& a_;
  std::int64_t columns_;
  Values panels_;  // of B
};

}  // namespace warpcheck::reference
