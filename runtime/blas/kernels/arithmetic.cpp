#include "runtime/blas/kernels/arithmetic.hpp"

#include <Eigen/Core>
#include <type_traits>

#include "base/vectorized.hpp"
#include "runtime/blas/kernels/kernels.hpp"

namespace warpcheck::runtime {
namespace {

const BlasKernels& kernels() {
#if defined(__x86_64__)
  if (cpu_has_avx512()) return kAvx512BlasKernels;
  if (cpu_has_avx2()) return kAvx2BlasKernels;
#endif
  return kBaselineBlasKernels;
}

template <class Number>
constexpr bool kHasParts = false;
template <class Real>
constexpr bool kHasParts<std::complex<Real>> = true;

template <class Real>
struct Parts {
  explicit Parts(const Packed<std::complex<Real>>& numbers) {
    for (const std::complex<Real>& number : numbers) {
      real.push_back(number.real());
      imaginary.push_back(number.imag());
    }
  }

  Packed<Real> real;
  Packed<Real> imaginary;
};

void multiply(const PackedProduct<float>& product, bool halves) {
  halves ? kernels().multiply_f16(product) : kernels().multiply_f32(product);
}
void multiply(const PackedProduct<double>& product, bool) { kernels().multiply_f64(product); }
void multiply(const PackedProduct<std::int32_t>& product, bool) { kernels().multiply_s32(product); }

/// Calls use(view) with Eigen's view of the triangle.
template <class Matrix, class Use>
void with_triangle(const Matrix& a, const Triangle& triangle, Use use) {
  if (triangle.lower) {
    triangle.unit ? use(a.template triangularView<Eigen::UnitLower>())
                  : use(a.template triangularView<Eigen::Lower>());
  } else {
    triangle.unit ? use(a.template triangularView<Eigen::UnitUpper>())
                  : use(a.template triangularView<Eigen::Upper>());
  }
}

}  // namespace

template <class Number>
Packed<Number> product(const Packed<Number>& a, const Packed<Number>& b, std::int64_t m,
                       std::int64_t n, std::int64_t k, bool halves) {
  Packed<Number> c(static_cast<std::size_t>(m * n));
  if (k == 0 || c.empty()) return c;
  if constexpr (kHasParts<Number>) {
    const Parts<typename Number::value_type> left(a);
    const Parts<typename Number::value_type> right(b);
    const auto real_product = [&](const auto& one, const auto& other) {
      return product(one, other, m, n, k);
    };
    const auto real = real_product(left.real, right.real);
    const auto negative = real_product(left.imaginary, right.imaginary);
    const auto first = real_product(left.real, right.imaginary);
    const auto second = real_product(left.imaginary, right.real);
    for (std::size_t i = 0; i < c.size(); ++i) {
      c[i] = {real[i] - negative[i], first[i] + second[i]};
    }
  } else {
    multiply(PackedProduct<Number>{a.data(), b.data(), c.data(), m, n, k}, halves);
  }
  return c;
}

template <class Number>
void solve(const Packed<Number>& a, const Triangle& triangle, Packed<Number>& b,
           std::int64_t columns) {
  using Dense = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::Map<const Dense> matrix(a.data(), triangle.n, triangle.n);
  Eigen::Map<Dense> right(b.data(), triangle.n, columns);
  with_triangle(matrix, triangle, [&](const auto& view) { view.solveInPlace(right); });
}

#define WARPCHECK_NUMBER(Number)                                                              \
  template Packed<Number> product(const Packed<Number>&, const Packed<Number>&, std::int64_t, \
                                  std::int64_t, std::int64_t, bool);                          \
  template void solve(const Packed<Number>&, const Triangle&, Packed<Number>&, std::int64_t);
WARPCHECK_NUMBER(float)
WARPCHECK_NUMBER(double)
WARPCHECK_NUMBER(std::complex<float>)
WARPCHECK_NUMBER(std::complex<double>)
#undef WARPCHECK_NUMBER
template Packed<std::int32_t> product(const Packed<std::int32_t>&, const Packed<std::int32_t>&,
                                      std::int64_t, std::int64_t, std::int64_t, bool);

}  // namespace warpcheck::runtime
