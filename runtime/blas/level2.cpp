// Products of a matrix and a vector, and of two vectors, as products of matrices.
#include "runtime/blas/entry.hpp"
#include "runtime/blas/matmul.hpp"

namespace warpcheck::runtime {
namespace {

MatrixArgument vector(const char* name, const void* address, cudaDataType type,
                      std::int64_t increment) {
  MatrixArgument argument{name, address, type, increment};
  argument.is_vector = true;
  return argument;
}

MatmulTypes types_of(cudaDataType type) {
  const bool is_double = real_type(type) == CUDA_R_64F;
  return {is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, type, type, type, type, type};
}

/// y = alpha op(A) x + beta y.
cublasStatus_t multiply(const BlasCall& call, std::int64_t rows, std::int64_t columns,
                        const void* alpha, const void* beta, const MatrixArgument& a,
                        const MatrixArgument& x, const MatrixArgument& y, std::int64_t batch) {
  if (const auto status = call.check_choice("trans", a.op, CUBLAS_OP_C)) return status;
  if (const auto status = call.check_sizes({{"m", rows}, {"n", columns}, {"batchCount", batch}})) {
    return status;
  }
  if (const auto status = call.check_leading("lda", a.leading, "A", rows)) return status;
  if (const auto status = call.check_increment("incx", x.leading)) return status;
  if (const auto status = call.check_increment("incy", y.leading)) return status;
  Matmul matmul{is_transposed(a) ? columns : rows, 1, is_transposed(a) ? rows : columns, batch,
                types_of(a.type)};
  if (const auto status = call.read("alpha", alpha, a.type, matmul.alpha)) return status;
  if (const auto status = call.read("beta", beta, a.type, matmul.beta)) return status;
  matmul.a = a;
  matmul.b = x;
  matmul.c = y;
  matmul.d = y;
  if (matmul.k == 0) return CUBLAS_STATUS_SUCCESS;  // y keeps its values, as in BLAS
  return submit_matmul(call, matmul);
}

template <class T, class Int>
cublasStatus_t gemv(BlasCall& call, cublasOperation_t trans, Int m, Int n, const T* alpha,
                    const T* a, Int lda, const T* x, Int incx, const T* beta, T* y, Int incy) {
  constexpr cudaDataType type = kTypeOf<T>;
  return multiply(call, m, n, alpha, beta, {"A", a, type, lda, trans}, vector("x", x, type, incx),
                  vector("y", y, type, incy), 1);
}

template <class T, class Int>
cublasStatus_t gemv_batched(BlasCall& call, cublasOperation_t trans, Int m, Int n, const T* alpha,
                            const T* const* a, Int lda, const T* const* x, Int incx, const T* beta,
                            T* const* y, Int incy, Int batch) {
  constexpr cudaDataType type = kTypeOf<T>;
  MatrixArgument arguments[] = {
      {"A", a, type, lda, trans}, vector("x", x, type, incx), vector("y", y, type, incy)};
  for (MatrixArgument& argument : arguments) argument.is_array = true;
  return multiply(call, m, n, alpha, beta, arguments[0], arguments[1], arguments[2], batch);
}

template <class T, class Int>
cublasStatus_t gemv_strided(BlasCall& call, cublasOperation_t trans, Int m, Int n, const T* alpha,
                            const T* a, Int lda, long long stride_a, const T* x, Int incx,
                            long long stride_x, const T* beta, T* y, Int incy, long long stride_y,
                            Int batch) {
  constexpr cudaDataType type = kTypeOf<T>;
  MatrixArgument arguments[] = {
      {"A", a, type, lda, trans}, vector("x", x, type, incx), vector("y", y, type, incy)};
  arguments[0].stride = stride_a;
  arguments[1].stride = stride_x;
  arguments[2].stride = stride_y;
  return multiply(call, m, n, alpha, beta, arguments[0], arguments[1], arguments[2], batch);
}

/// A = alpha x y^T + A, or y^H.
template <class T, bool conjugates, class Int>
cublasStatus_t ger(BlasCall& call, Int m, Int n, const T* alpha, const T* x, Int incx, const T* y,
                   Int incy, T* a, Int lda) {
  constexpr cudaDataType type = kTypeOf<T>;
  if (const auto status = call.check_sizes({{"m", m}, {"n", n}})) return status;
  if (const auto status = call.check_increment("incx", incx)) return status;
  if (const auto status = call.check_increment("incy", incy)) return status;
  if (const auto status = call.check_leading("lda", lda, "A", m)) return status;
  Matmul matmul{m, n, 1, 1, types_of(type)};
  if (const auto status = call.read("alpha", alpha, type, matmul.alpha)) return status;
  const T one = one_of<T>();
  if (const auto status = call.read("beta", &one, type, false, matmul.beta)) return status;
  matmul.a = vector("x", x, type, incx);
  matmul.b = vector("y", y, type, incy);
  if (conjugates) matmul.b.op = CUBLAS_OP_C;
  matmul.c = {"A", a, type, lda};
  matmul.d = matmul.c;
  return submit_matmul(call, matmul);
}

}  // namespace
}  // namespace warpcheck::runtime

using namespace warpcheck::runtime;

// A row for each function: its name, and the template with its types.
extern "C" {
WARPCHECK_BLAS_64(cublasSgemv, _v2, gemv, float)
WARPCHECK_BLAS_64(cublasDgemv, _v2, gemv, double)
WARPCHECK_BLAS_64(cublasCgemv, _v2, gemv, cuComplex)
WARPCHECK_BLAS_64(cublasZgemv, _v2, gemv, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasSgemvBatched, , gemv_batched, float)
WARPCHECK_BLAS_64(cublasDgemvBatched, , gemv_batched, double)
WARPCHECK_BLAS_64(cublasCgemvBatched, , gemv_batched, cuComplex)
WARPCHECK_BLAS_64(cublasZgemvBatched, , gemv_batched, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasSgemvStridedBatched, , gemv_strided, float)
WARPCHECK_BLAS_64(cublasDgemvStridedBatched, , gemv_strided, double)
WARPCHECK_BLAS_64(cublasCgemvStridedBatched, , gemv_strided, cuComplex)
WARPCHECK_BLAS_64(cublasZgemvStridedBatched, , gemv_strided, cuDoubleComplex)

WARPCHECK_BLAS_64(cublasSger, _v2, ger, float, false)
WARPCHECK_BLAS_64(cublasDger, _v2, ger, double, false)
WARPCHECK_BLAS_64(cublasCgeru, _v2, ger, cuComplex, false)
WARPCHECK_BLAS_64(cublasCgerc, _v2, ger, cuComplex, true)
WARPCHECK_BLAS_64(cublasZgeru, _v2, ger, cuDoubleComplex, false)
WARPCHECK_BLAS_64(cublasZgerc, _v2, ger, cuDoubleComplex, true)
}
