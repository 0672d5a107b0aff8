// Functions of the elements of matrices: sums of two matrices, and products with a diagonal matrix.
#include "runtime/blas/entry.hpp"
#include "runtime/blas/matmul.hpp"
#include "runtime/memory.hpp"

namespace warpcheck::runtime {
namespace {

/// C = alpha op(A) + beta op(B).
template <class T, class Int>
cublasStatus_t geam(BlasCall& call, cublasOperation_t transa, cublasOperation_t transb, Int m,
                    Int n, const T* alpha, const T* a, Int lda, const T* beta, const T* b, Int ldb,
                    T* c, Int ldc) {
  constexpr cudaDataType type = kTypeOf<T>;
  if (const auto status = call.check_choice("transa", transa, CUBLAS_OP_C)) return status;
  if (const auto status = call.check_choice("transb", transb, CUBLAS_OP_C)) return status;
  if (const auto status = call.check_sizes({{"m", m}, {"n", n}})) return status;
  const MatrixArgument matrices[] = {{"A", a, type, lda, transa}, {"B", b, type, ldb, transb}};
  Factor factors[2];
  if (const auto status = call.read("alpha", alpha, type, factors[0])) return status;
  if (const auto status = call.read("beta", beta, type, factors[1])) return status;
  const std::int64_t rows_of_a = transa == CUBLAS_OP_N ? m : n;
  const std::int64_t rows_of_b = transb == CUBLAS_OP_N ? m : n;
  if (const auto status = call.check_leading("lda", lda, "A", rows_of_a)) return status;
  if (const auto status = call.check_leading("ldb", ldb, "B", rows_of_b)) return status;
  if (const auto status = call.check_leading("ldc", ldc, "C", m)) return status;
  if ((c == a && (transa != CUBLAS_OP_N || ldc != lda)) ||
      (c == b && (transb != CUBLAS_OP_N || ldc != ldb))) {
    return call.invalid(
        "C is one of the operands, which must not be transposed and must have the same leading "
        "dimension");
  }
  const MatrixArgument result{"C", c, type, ldc};
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return call.submit([=, first = matrices[0], second = matrices[1], one = factors[0],
                      other = factors[1]](OperandAccess& access) {
    with_number(type, [&](auto zero) {
      using Number = decltype(zero);
      Packed<Number> sums(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
      const auto add = [&](const MatrixArgument& matrix, const Factor& factor) {
        const auto number = value_of<Number>(access, factor);
        if (number == zero) return;  // the matrix is not read
        const auto numbers = read_matrix<Number>(access, matrix, address_of(matrix.address), m, n);
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += number * numbers[i];
      };
      add(first, one);
      add(second, other);
      write_matrix(access, result, address_of(result.address), m, n, std::move(sums));
    });
  });
}

/// C = A diag(x), or diag(x) A.
template <class T, class Int>
cublasStatus_t dgmm(BlasCall& call, cublasSideMode_t side, Int m, Int n, const T* a, Int lda,
                    const T* x, Int incx, T* c, Int ldc) {
  constexpr cudaDataType type = kTypeOf<T>;
  if (const auto status = call.check_choice("mode", side, CUBLAS_SIDE_RIGHT)) return status;
  if (const auto status = call.check_sizes({{"m", m}, {"n", n}})) return status;
  if (const auto status = call.check_leading("lda", lda, "A", m)) return status;
  if (const auto status = call.check_leading("ldc", ldc, "C", m)) return status;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const MatrixArgument matrix{"A", a, type, lda};
  const MatrixArgument result{"C", c, type, ldc};
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Operand diagonal = vector_operand("x", x, type, left ? m : n, incx);
  return call.submit([=](OperandAccess& access) {
    with_number(type, [&](auto zero) {
      using Number = decltype(zero);
      Packed<Number> numbers =
          read_matrix<Number>(access, matrix, address_of(matrix.address), m, n);
      const Packed<Number> factors = access.read<Number>(diagonal);
      const auto rows = static_cast<std::size_t>(m);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] *= factors[left ? i % rows : i / rows];
      }
      write_matrix(access, result, address_of(result.address), m, n, std::move(numbers));
    });
  });
}

}  // namespace
}  // namespace warpcheck::runtime

using namespace warpcheck::runtime;

// A row for each function: its name, and the template with its types.
extern "C" {
WARPCHECK_BLAS_64(cublasSgeam, , geam, float)
WARPCHECK_BLAS_64(cublasDgeam, , geam, double)
WARPCHECK_BLAS_64(cublasCgeam, , geam, cuComplex)
WARPCHECK_BLAS_64(cublasZgeam, , geam, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasSdgmm, , dgmm, float)
WARPCHECK_BLAS_64(cublasDdgmm, , dgmm, double)
WARPCHECK_BLAS_64(cublasCdgmm, , dgmm, cuComplex)
WARPCHECK_BLAS_64(cublasZdgmm, , dgmm, cuDoubleComplex)
}
