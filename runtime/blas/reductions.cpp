// Functions of vectors whose results are numbers. Those of one type and the Ex forms, whose types
// are arguments, are the same functions.
#include <cmath>

#include "runtime/blas/entry.hpp"
#include "runtime/blas/vector.hpp"

namespace warpcheck::runtime {
namespace {

cublasStatus_t dot(const BlasCall& call, std::int64_t n, Vector x, Vector y, void* result,
                   cudaDataType result_type, cudaDataType compute, bool conjugates) {
  if (const auto status = check_types(call, x, compute)) return status;
  if (const auto status = check_type(call, "y", y.type, x.type)) return status;
  if (const auto status = check_type(call, "the result", result_type, x.type)) return status;
  return with_number(compute, [&](auto zero) {
    using Number = decltype(zero);
    return call.submit_result<Number>(result, result_type, [=](OperandAccess& access) {
      Packed<Number> left = access.read<Number>(x.operand(n));
      const Packed<Number> right = access.read<Number>(y.operand(n));
      if (conjugates) {
        for (Number& number : left) number = conjugate(number);
      }
      return product(left, right, 1, 1, std::max<std::int64_t>(n, 0)).front();
    });
  });
}

/// The sum of the real and the imaginary part, by which cuBLAS compares complex numbers.
template <class Number>
auto magnitude(Number number) {
  if constexpr (std::is_arithmetic_v<Number>) {
    return std::abs(number);
  } else {
    return std::abs(number.real()) + std::abs(number.imag());
  }
}

template <class Number>
auto norm(const Packed<Number>& numbers) {
  using Real = decltype(std::abs(Number{}));
  const auto sum_of_squares = [&](Real unit) {
    Real sum = 0;
    for (const Number& number : numbers) {
      const Real part = std::abs(number) / unit;
      sum += part * part;
    }
    return sum;
  };
  const Real sum = sum_of_squares(1);
  if (std::isnormal(sum) || std::isnan(sum)) return std::sqrt(sum);
  Real largest = 0;
  for (const Number& number : numbers) largest = std::max(largest, std::abs(number));
  return largest == 0 || std::isinf(largest) ? largest
                                             : largest * std::sqrt(sum_of_squares(largest));
}

template <class Number>
auto sum_of_magnitudes(const Packed<Number>& numbers) {
  decltype(magnitude(Number{})) sum = 0;
  for (const Number& number : numbers) sum += magnitude(number);
  return sum;
}

enum class Reduction : std::uint8_t { norm, magnitudes };

cublasStatus_t reduce(const BlasCall& call, Reduction reduction, std::int64_t n, Vector x,
                      void* result, cudaDataType result_type, cudaDataType compute) {
  if (const auto status = check_types(call, x, compute, true)) return status;
  if (const auto status = check_type(call, "the result", result_type, real_type(x.type))) {
    return status;
  }
  const std::int64_t count = x.increment <= 0 ? 0 : n;
  return with_number(compute_type(x.type), [&](auto zero) {
    using Number = decltype(zero);
    using Real = decltype(magnitude(zero));
    return call.submit_result<Real>(result, result_type, [=](OperandAccess& access) {
      const Packed<Number> numbers = access.read<Number>(x.operand(count));
      return reduction == Reduction::norm ? norm(numbers) : sum_of_magnitudes(numbers);
    });
  });
}

/// The number of the first element with the largest or the smallest magnitude, from 1; 0: none.
cublasStatus_t find_extreme(const BlasCall& call, bool largest, std::int64_t n, Vector x,
                            void* result, cudaDataType result_type) {
  if (const auto status = check_types(call, x, compute_type(x.type))) return status;
  const std::int64_t count = x.increment <= 0 ? 0 : n;
  return with_number(compute_type(x.type), [&](auto zero) {
    using Number = decltype(zero);
    return call.submit_result<std::int64_t>(result, result_type, [=](OperandAccess& access) {
      const Packed<Number> numbers = access.read<Number>(x.operand(count));
      const auto is_less = [](const Number& one, const Number& other) {
        return magnitude(one) < magnitude(other);
      };
      const auto found = largest ? std::max_element(numbers.begin(), numbers.end(), is_less)
                                 : std::min_element(numbers.begin(), numbers.end(), is_less);
      return found == numbers.end() ? std::int64_t{0} : found - numbers.begin() + 1;
    });
  });
}

template <class T, bool conjugates, class Int>
cublasStatus_t typed_dot(BlasCall& call, Int n, const T* x, Int incx, const T* y, Int incy,
                         T* result) {
  return dot(call, n, {"x", x, kTypeOf<T>, incx}, {"y", y, kTypeOf<T>, incy}, result, kTypeOf<T>,
             kTypeOf<T>, conjugates);
}
template <bool conjugates, class Int>
cublasStatus_t dot_ex(BlasCall& call, Int n, const void* x, cudaDataType x_type, Int incx,
                      const void* y, cudaDataType y_type, Int incy, void* result,
                      cudaDataType result_type, cudaDataType compute) {
  return dot(call, n, {"x", x, x_type, incx}, {"y", y, y_type, incy}, result, result_type, compute,
             conjugates);
}

template <Reduction reduction, class T, class Real, class Int>
cublasStatus_t reduced(BlasCall& call, Int n, const T* x, Int incx, Real* result) {
  return reduce(call, reduction, n, {"x", x, kTypeOf<T>, incx}, result, kTypeOf<Real>,
                kTypeOf<Real>);
}
template <Reduction reduction, class Int>
cublasStatus_t reduced_ex(BlasCall& call, Int n, const void* x, cudaDataType x_type, Int incx,
                          void* result, cudaDataType result_type, cudaDataType compute) {
  return reduce(call, reduction, n, {"x", x, x_type, incx}, result, result_type, compute);
}

template <class Int>
constexpr cudaDataType kIndexType = sizeof(Int) == 4 ? CUDA_R_32I : CUDA_R_64I;
template <bool largest, class T, class Int>
cublasStatus_t extreme(BlasCall& call, Int n, const T* x, Int incx, Int* result) {
  return find_extreme(call, largest, n, {"x", x, kTypeOf<T>, incx}, result, kIndexType<Int>);
}
template <bool largest, class Int>
cublasStatus_t extreme_ex(BlasCall& call, Int n, const void* x, cudaDataType x_type, Int incx,
                          Int* result) {
  return find_extreme(call, largest, n, {"x", x, x_type, incx}, result, kIndexType<Int>);
}

}  // namespace
}  // namespace warpcheck::runtime

using namespace warpcheck::runtime;

// A row for each function: its name, and the template with its types.
extern "C" {
WARPCHECK_BLAS_64(cublasSdot, _v2, typed_dot, float, false)
WARPCHECK_BLAS_64(cublasDdot, _v2, typed_dot, double, false)
WARPCHECK_BLAS_64(cublasCdotu, _v2, typed_dot, cuComplex, false)
WARPCHECK_BLAS_64(cublasCdotc, _v2, typed_dot, cuComplex, true)
WARPCHECK_BLAS_64(cublasZdotu, _v2, typed_dot, cuDoubleComplex, false)
WARPCHECK_BLAS_64(cublasZdotc, _v2, typed_dot, cuDoubleComplex, true)
WARPCHECK_BLAS_64(cublasDotEx, , dot_ex, false)
WARPCHECK_BLAS_64(cublasDotcEx, , dot_ex, true)

WARPCHECK_BLAS_64(cublasSnrm2, _v2, reduced, Reduction::norm, float, float)
WARPCHECK_BLAS_64(cublasDnrm2, _v2, reduced, Reduction::norm, double, double)
WARPCHECK_BLAS_64(cublasScnrm2, _v2, reduced, Reduction::norm, cuComplex, float)
WARPCHECK_BLAS_64(cublasDznrm2, _v2, reduced, Reduction::norm, cuDoubleComplex, double)
WARPCHECK_BLAS_64(cublasNrm2Ex, , reduced_ex, Reduction::norm)

WARPCHECK_BLAS_64(cublasSasum, _v2, reduced, Reduction::magnitudes, float, float)
WARPCHECK_BLAS_64(cublasDasum, _v2, reduced, Reduction::magnitudes, double, double)
WARPCHECK_BLAS_64(cublasScasum, _v2, reduced, Reduction::magnitudes, cuComplex, float)
WARPCHECK_BLAS_64(cublasDzasum, _v2, reduced, Reduction::magnitudes, cuDoubleComplex, double)
WARPCHECK_BLAS_64(cublasAsumEx, , reduced_ex, Reduction::magnitudes)

WARPCHECK_BLAS_64(cublasIsamax, _v2, extreme, true, float)
WARPCHECK_BLAS_64(cublasIdamax, _v2, extreme, true, double)
WARPCHECK_BLAS_64(cublasIcamax, _v2, extreme, true, cuComplex)
WARPCHECK_BLAS_64(cublasIzamax, _v2, extreme, true, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasIamaxEx, , extreme_ex, true)
WARPCHECK_BLAS_64(cublasIsamin, _v2, extreme, false, float)
WARPCHECK_BLAS_64(cublasIdamin, _v2, extreme, false, double)
WARPCHECK_BLAS_64(cublasIcamin, _v2, extreme, false, cuComplex)
WARPCHECK_BLAS_64(cublasIzamin, _v2, extreme, false, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasIaminEx, , extreme_ex, false)
}
