// Matrices of warpcheck::Real in Eigen, for references by matrix expressions:
//
//   contract.set_reference("gemv", [](const warpcheck::Real* a, const warpcheck::Real* x,
//                                     warpcheck::Real* y, long rows, long columns) {
//     warpcheck::vector(y, rows) = warpcheck::matrix(a, rows, columns) * warpcheck::vector(x,
//     columns);
//   });
#ifndef WARPCHECK_EIGEN_HPP
#define WARPCHECK_EIGEN_HPP

#include <Eigen/Core>
#include <limits>

#include "reference.hpp"

namespace Eigen {

template <>
struct NumTraits<warpcheck::Real> : GenericNumTraits<warpcheck::Real> {
  using Real = warpcheck::Real;
  using NonInteger = warpcheck::Real;
  using Nested = warpcheck::Real;
  using Literal = warpcheck::Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 8,
    AddCost = 64,
    MulCost = 64
  };
  static Real epsilon() { return std::numeric_limits<double>::epsilon(); }
  static Real dummy_precision() { return 1e-12; }
  static Real highest() { return std::numeric_limits<double>::max(); }
  static Real lowest() { return std::numeric_limits<double>::lowest(); }
  static int digits10() { return std::numeric_limits<double>::digits10; }
};

}  // namespace Eigen

namespace warpcheck {

/// A tensor of a reference as a matrix with contiguous rows.
template <class Number>
auto matrix(Number* elements, long rows, long columns) {
  using Matrix =
      Eigen::Matrix<std::remove_const_t<Number>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Element = std::conditional_t<std::is_const_v<Number>, const Matrix, Matrix>;
  return Eigen::Map<Element>(elements, rows, columns);
}

template <class Number>
auto vector(Number* elements, long size) {
  using Vector = Eigen::Matrix<std::remove_const_t<Number>, Eigen::Dynamic, 1>;
  using Element = std::conditional_t<std::is_const_v<Number>, const Vector, Vector>;
  return Eigen::Map<Element>(elements, size);
}

}  // namespace warpcheck

#endif
