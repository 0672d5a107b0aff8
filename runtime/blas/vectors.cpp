// Functions of vectors whose results are vectors. Those of one type and the Ex forms, whose types
// are arguments, are the same functions.
#include "runtime/blas/entry.hpp"
#include "runtime/blas/vector.hpp"

namespace warpcheck::runtime {
namespace {

cublasStatus_t add(const BlasCall& call, std::int64_t n, const void* alpha, cudaDataType alpha_type,
                   Vector x, Vector y, cudaDataType compute) {
  Factor factor;
  if (const auto status = check_types(call, x, compute)) return status;
  if (const auto status = check_type(call, "y", y.type, x.type)) return status;
  if (const auto status = check_type(call, "alpha", alpha_type, compute)) return status;
  if (const auto status = call.read("alpha", alpha, alpha_type, factor)) return status;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.submit([=](OperandAccess& access) {
    with_number(compute, [&](auto zero) {
      using Number = decltype(zero);
      const auto a = value_of<Number>(access, factor);
      if (a == zero) return;
      const Packed<Number> added = access.read<Number>(x.operand(n));
      Packed<Number> sum = access.read<Number>(y.operand(n));
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += a * added[i];
      access.write(y.operand(n), sum);
    });
  });
}

cublasStatus_t scale(const BlasCall& call, std::int64_t n, const void* alpha,
                     cudaDataType alpha_type, Vector x, cudaDataType compute) {
  Factor factor;
  if (const auto status = check_types(call, x, compute)) return status;
  if (alpha_type != real_type(compute)) {
    if (const auto status = check_type(call, "alpha", alpha_type, compute)) return status;
  }
  if (const auto status = call.read("alpha", alpha, alpha_type, factor)) return status;
  if (n <= 0 || x.increment <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.submit([=](OperandAccess& access) {
    with_number(compute, [&](auto zero) {
      using Number = decltype(zero);
      const auto a = value_of<Number>(access, factor);
      Packed<Number> numbers = access.read<Number>(x.operand(n));
      for (Number& number : numbers) number *= a;
      access.write(x.operand(n), numbers);
    });
  });
}

cublasStatus_t exchange(const BlasCall& call, std::int64_t n, Vector x, Vector y, bool both) {
  if (const auto status = check_types(call, x, compute_type(x.type))) return status;
  if (const auto status = check_type(call, "y", y.type, x.type)) return status;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.submit([=](OperandAccess& access) {
    with_number(compute_type(x.type), [&](auto zero) {
      using Number = decltype(zero);
      const Packed<Number> first = access.read<Number>(x.operand(n));
      Packed<Number> second;
      if (both) second = access.read<Number>(y.operand(n));
      access.write(y.operand(n), first);
      if (both) access.write(x.operand(n), second);
    });
  });
}

cublasStatus_t rotate(const BlasCall& call, std::int64_t n, Vector x, Vector y, const void* c,
                      cudaDataType c_type, const void* s, cudaDataType s_type,
                      cudaDataType compute) {
  Factor cosine;
  Factor sine;
  if (const auto status = check_types(call, x, compute)) return status;
  if (const auto status = check_type(call, "y", y.type, x.type)) return status;
  if (const auto status = call.read("c", c, c_type, cosine)) return status;
  if (const auto status = call.read("s", s, s_type, sine)) return status;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.submit([=](OperandAccess& access) {
    with_number(compute, [&](auto zero) {
      using Number = decltype(zero);
      const auto cos = value_of<Number>(access, cosine);
      const auto sin = value_of<Number>(access, sine);
      Packed<Number> first = access.read<Number>(x.operand(n));
      Packed<Number> second = access.read<Number>(y.operand(n));
      for (std::size_t i = 0; i < first.size(); ++i) {
        const Number before = first[i];
        first[i] = cos * before + sin * second[i];
        second[i] = cos * second[i] - conjugate(sin) * before;
      }
      access.write(x.operand(n), first);
      access.write(y.operand(n), second);
    });
  });
}

template <class T, class Int>
cublasStatus_t axpy(BlasCall& call, Int n, const T* alpha, const T* x, Int incx, T* y, Int incy) {
  return add(call, n, alpha, kTypeOf<T>, {"x", x, kTypeOf<T>, incx}, {"y", y, kTypeOf<T>, incy},
             kTypeOf<T>);
}
template <class Int>
cublasStatus_t axpy_ex(BlasCall& call, Int n, const void* alpha, cudaDataType alpha_type,
                       const void* x, cudaDataType x_type, Int incx, void* y, cudaDataType y_type,
                       Int incy, cudaDataType compute) {
  return add(call, n, alpha, alpha_type, {"x", x, x_type, incx}, {"y", y, y_type, incy}, compute);
}

template <class T, class Alpha, class Int>
cublasStatus_t scal(BlasCall& call, Int n, const Alpha* alpha, T* x, Int incx) {
  return scale(call, n, alpha, kTypeOf<Alpha>, {"x", x, kTypeOf<T>, incx}, kTypeOf<T>);
}
template <class Int>
cublasStatus_t scal_ex(BlasCall& call, Int n, const void* alpha, cudaDataType alpha_type, void* x,
                       cudaDataType x_type, Int incx, cudaDataType compute) {
  return scale(call, n, alpha, alpha_type, {"x", x, x_type, incx}, compute);
}

template <class T, class Int>
cublasStatus_t copy(BlasCall& call, Int n, const T* x, Int incx, T* y, Int incy) {
  return exchange(call, n, {"x", x, kTypeOf<T>, incx}, {"y", y, kTypeOf<T>, incy}, false);
}
template <class Int>
cublasStatus_t copy_ex(BlasCall& call, Int n, const void* x, cudaDataType x_type, Int incx, void* y,
                       cudaDataType y_type, Int incy) {
  return exchange(call, n, {"x", x, x_type, incx}, {"y", y, y_type, incy}, false);
}
template <class T, class Int>
cublasStatus_t swap(BlasCall& call, Int n, T* x, Int incx, T* y, Int incy) {
  return exchange(call, n, {"x", x, kTypeOf<T>, incx}, {"y", y, kTypeOf<T>, incy}, true);
}
template <class Int>
cublasStatus_t swap_ex(BlasCall& call, Int n, void* x, cudaDataType x_type, Int incx, void* y,
                       cudaDataType y_type, Int incy) {
  return exchange(call, n, {"x", x, x_type, incx}, {"y", y, y_type, incy}, true);
}

template <class T, class Cosine, class Sine, class Int>
cublasStatus_t rot(BlasCall& call, Int n, T* x, Int incx, T* y, Int incy, const Cosine* c,
                   const Sine* s) {
  return rotate(call, n, {"x", x, kTypeOf<T>, incx}, {"y", y, kTypeOf<T>, incy}, c, kTypeOf<Cosine>,
                s, kTypeOf<Sine>, kTypeOf<T>);
}
template <class Int>
cublasStatus_t rot_ex(BlasCall& call, Int n, void* x, cudaDataType x_type, Int incx, void* y,
                      cudaDataType y_type, Int incy, const void* c, const void* s,
                      cudaDataType factor_type, cudaDataType compute) {
  return rotate(call, n, {"x", x, x_type, incx}, {"y", y, y_type, incy}, c, real_type(factor_type),
                s, factor_type, compute);
}

}  // namespace
}  // namespace warpcheck::runtime

using namespace warpcheck::runtime;

// A row for each function: its name, and the template with its types.
extern "C" {
WARPCHECK_BLAS_64(cublasSaxpy, _v2, axpy, float)
WARPCHECK_BLAS_64(cublasDaxpy, _v2, axpy, double)
WARPCHECK_BLAS_64(cublasCaxpy, _v2, axpy, cuComplex)
WARPCHECK_BLAS_64(cublasZaxpy, _v2, axpy, cuDoubleComplex)
WARPCHECK_BLAS_EX(cublasAxpyEx, axpy_ex)

WARPCHECK_BLAS_64(cublasSscal, _v2, scal, float, float)
WARPCHECK_BLAS_64(cublasDscal, _v2, scal, double, double)
WARPCHECK_BLAS_64(cublasCscal, _v2, scal, cuComplex, cuComplex)
WARPCHECK_BLAS_64(cublasZscal, _v2, scal, cuDoubleComplex, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasCsscal, _v2, scal, cuComplex, float)
WARPCHECK_BLAS_64(cublasZdscal, _v2, scal, cuDoubleComplex, double)
WARPCHECK_BLAS_EX(cublasScalEx, scal_ex)

WARPCHECK_BLAS_64(cublasScopy, _v2, copy, float)
WARPCHECK_BLAS_64(cublasDcopy, _v2, copy, double)
WARPCHECK_BLAS_64(cublasCcopy, _v2, copy, cuComplex)
WARPCHECK_BLAS_64(cublasZcopy, _v2, copy, cuDoubleComplex)
WARPCHECK_BLAS_EX(cublasCopyEx, copy_ex)
WARPCHECK_BLAS_64(cublasSswap, _v2, swap, float)
WARPCHECK_BLAS_64(cublasDswap, _v2, swap, double)
WARPCHECK_BLAS_64(cublasCswap, _v2, swap, cuComplex)
WARPCHECK_BLAS_64(cublasZswap, _v2, swap, cuDoubleComplex)
WARPCHECK_BLAS_EX(cublasSwapEx, swap_ex)

WARPCHECK_BLAS_64(cublasSrot, _v2, rot, float, float, float)
WARPCHECK_BLAS_64(cublasDrot, _v2, rot, double, double, double)
WARPCHECK_BLAS_64(cublasCrot, _v2, rot, cuComplex, float, cuComplex)
WARPCHECK_BLAS_64(cublasCsrot, _v2, rot, cuComplex, float, float)
WARPCHECK_BLAS_64(cublasZrot, _v2, rot, cuDoubleComplex, double, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasZdrot, _v2, rot, cuDoubleComplex, double, double)
WARPCHECK_BLAS_EX(cublasRotEx, rot_ex)
}
