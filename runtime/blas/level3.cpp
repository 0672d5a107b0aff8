// Products of matrices with a structure: symmetric, hermitian and triangular ones, and results of
// which one triangle is computed.
#include "runtime/blas/entry.hpp"
#include "runtime/blas/matmul.hpp"

namespace warpcheck::runtime {
namespace {

MatmulTypes types_of(cudaDataType type) {
  const bool is_double = real_type(type) == CUDA_R_64F;
  return {is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, type, type, type, type, type};
}

/// A square matrix of which one triangle is read.
MatrixArgument structured(const void* address, cudaDataType type, std::int64_t leading,
                          MatrixKind kind, cublasFillMode_t fill) {
  MatrixArgument argument{"A", address, type, leading};
  argument.kind = kind;
  argument.lower = fill == CUBLAS_FILL_MODE_LOWER;
  return argument;
}

cublasStatus_t check_structure(const BlasCall& call, cublasSideMode_t side, cublasFillMode_t fill,
                               std::int64_t m, std::int64_t n) {
  if (const auto status = call.check_choice("side", side, CUBLAS_SIDE_RIGHT)) return status;
  if (const auto status = call.check_choice("uplo", fill, CUBLAS_FILL_MODE_UPPER)) return status;
  return call.check_sizes({{"m", m}, {"n", n}});
}

/// A product of a square matrix A and a matrix B, whose order `side` chooses.
cublasStatus_t multiply(const BlasCall& call, cublasSideMode_t side, Matmul matmul,
                        const MatrixArgument& a, const MatrixArgument& b) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const std::int64_t size = left ? matmul.m : matmul.n;
  if (const auto status = call.check_leading("lda", a.leading, "A", size)) return status;
  if (const auto status = call.check_leading("ldb", b.leading, "B", matmul.m)) return status;
  if (const auto status = call.check_leading("ldc", matmul.d.leading, "C", matmul.m)) {
    return status;
  }
  matmul.k = size;
  matmul.a = left ? a : b;
  matmul.b = left ? b : a;
  matmul.c = matmul.d;
  return submit_matmul(call, matmul);
}

template <class T, MatrixKind kind, class Int>
cublasStatus_t symm(BlasCall& call, cublasSideMode_t side, cublasFillMode_t fill, Int m, Int n,
                    const T* alpha, const T* a, Int lda, const T* b, Int ldb, const T* beta, T* c,
                    Int ldc) {
  constexpr cudaDataType type = kTypeOf<T>;
  if (const auto status = check_structure(call, side, fill, m, n)) return status;
  Matmul matmul{m, n, 0, 1, types_of(type)};
  if (const auto status = call.read("alpha", alpha, type, matmul.alpha)) return status;
  if (const auto status = call.read("beta", beta, type, matmul.beta)) return status;
  matmul.d = {"C", c, type, ldc};
  return multiply(call, side, matmul, structured(a, type, lda, kind, fill), {"B", b, type, ldb});
}

template <class T, class Int>
cublasStatus_t trmm(BlasCall& call, cublasSideMode_t side, cublasFillMode_t fill,
                    cublasOperation_t trans, cublasDiagType_t diagonal, Int m, Int n,
                    const T* alpha, const T* a, Int lda, const T* b, Int ldb, T* c, Int ldc) {
  constexpr cudaDataType type = kTypeOf<T>;
  if (const auto status = check_structure(call, side, fill, m, n)) return status;
  if (const auto status = call.check_choice("trans", trans, CUBLAS_OP_C)) return status;
  if (const auto status = call.check_choice("diag", diagonal, CUBLAS_DIAG_UNIT)) return status;
  Matmul matmul{m, n, 0, 1, types_of(type)};
  if (const auto status = call.read("alpha", alpha, type, matmul.alpha)) return status;
  matmul.beta = {"beta", type};  // zero
  matmul.d = {"C", c, type, ldc};
  MatrixArgument triangle = structured(a, type, lda, MatrixKind::triangular, fill);
  triangle.op = trans;
  triangle.unit = diagonal == CUBLAS_DIAG_UNIT;
  return multiply(call, side, matmul, triangle, {"B", b, type, ldb});
}

/// C = alpha op(A) op(B)^T + beta C, of which one triangle is computed.
struct RankUpdate {
  cublasFillMode_t fill;
  cublasOperation_t trans;
  std::int64_t n;
  std::int64_t k;
  bool hermitian;
};

cublasStatus_t update(const BlasCall& call, const RankUpdate& update, const Factor& alpha,
                      const Factor& beta, MatrixArgument a, MatrixArgument b,
                      const MatrixArgument& c) {
  const bool transposes = update.trans != CUBLAS_OP_N;
  const cublasOperation_t other = update.hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  if (const auto status = call.check_choice("uplo", update.fill, CUBLAS_FILL_MODE_UPPER)) {
    return status;
  }
  if (const auto status = call.check_choice("trans", update.trans, CUBLAS_OP_C)) return status;
  const bool is_complex_result = is_complex(c.type);
  if (is_complex_result && transposes && update.trans != other) {
    return call.invalid(update.hermitian
                            ? "trans is CUBLAS_OP_T, expected CUBLAS_OP_N or CUBLAS_OP_C"
                            : "trans is CUBLAS_OP_C, expected CUBLAS_OP_N or CUBLAS_OP_T");
  }
  if (const auto status = call.check_sizes({{"n", update.n}, {"k", update.k}})) return status;
  const std::int64_t rows = transposes ? update.k : update.n;
  if (const auto status = call.check_leading("lda", a.leading, "A", rows)) return status;
  if (const auto status = call.check_leading("ldb", b.leading, "B", rows)) return status;
  if (const auto status = call.check_leading("ldc", c.leading, "C", update.n)) return status;
  a.op = transposes ? other : CUBLAS_OP_N;
  b.op = transposes ? CUBLAS_OP_N : other;
  Matmul matmul{update.n, update.n, update.k, 1, types_of(c.type), a, b, c, c, alpha, beta};
  matmul.part = update.fill == CUBLAS_FILL_MODE_LOWER ? MatrixPart::lower : MatrixPart::upper;
  matmul.real_diagonal = update.hermitian;
  return submit_matmul(call, matmul);
}

/// `Real`: the type of alpha and beta.
template <class T, class Real, bool hermitian, class Int>
cublasStatus_t syrk(BlasCall& call, cublasFillMode_t fill, cublasOperation_t trans, Int n, Int k,
                    const Real* alpha, const T* a, Int lda, const Real* beta, T* c, Int ldc) {
  constexpr cudaDataType type = kTypeOf<T>;
  Factor first;
  Factor second;
  if (const auto status = call.read("alpha", alpha, kTypeOf<Real>, first)) return status;
  if (const auto status = call.read("beta", beta, kTypeOf<Real>, second)) return status;
  const MatrixArgument matrix{"A", a, type, lda};
  return update(call, {fill, trans, n, k, hermitian}, first, second, matrix, matrix,
                {"C", c, type, ldc});
}

/// One product of two matrices, whose result is symmetric or hermitian.
template <class T, class Real, bool hermitian, class Int>
cublasStatus_t syrkx(BlasCall& call, cublasFillMode_t fill, cublasOperation_t trans, Int n, Int k,
                     const T* alpha, const T* a, Int lda, const T* b, Int ldb, const Real* beta,
                     T* c, Int ldc) {
  constexpr cudaDataType type = kTypeOf<T>;
  Factor first;
  Factor second;
  if (const auto status = call.read("alpha", alpha, type, first)) return status;
  if (const auto status = call.read("beta", beta, kTypeOf<Real>, second)) return status;
  return update(call, {fill, trans, n, k, hermitian}, first, second, {"A", a, type, lda},
                {"B", b, type, ldb}, {"C", c, type, ldc});
}

/// The sum of that product and the one with A and B exchanged.
template <class T, class Real, bool hermitian, class Int>
cublasStatus_t syr2k(BlasCall& call, cublasFillMode_t fill, cublasOperation_t trans, Int n, Int k,
                     const T* alpha, const T* a, Int lda, const T* b, Int ldb, const Real* beta,
                     T* c, Int ldc) {
  constexpr cudaDataType type = kTypeOf<T>;
  if (const auto status = syrkx<T, Real, hermitian, Int>(call, fill, trans, n, k, alpha, a, lda, b,
                                                         ldb, beta, c, ldc)) {
    return status;
  }
  Factor first;
  Factor second;
  const T one = one_of<T>();
  if (const auto status = call.read("alpha", alpha, type, first)) return status;
  if (const auto status = call.read("beta", &one, type, false, second)) return status;
  first.conjugated = hermitian;
  return update(call, {fill, trans, n, k, hermitian}, first, second, {"B", b, type, ldb},
                {"A", a, type, lda}, {"C", c, type, ldc});
}

/// Solves op(A) X = alpha B, or X op(A) = alpha B, and writes X to B.
struct Solver {
  MatrixArgument a;
  MatrixArgument b;
  Factor alpha;
  std::int64_t m;
  std::int64_t n;
  std::int64_t batch;
  bool left;

  template <class Number>
  void run(OperandAccess& access) const {
    const auto factor = value_of<Number>(access, alpha);
    const std::vector<std::uint64_t> targets = addresses_of(access, b, batch);
    const bool is_zero = factor == Number{};
    const auto matrices = is_zero ? targets : addresses_of(access, a, batch);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      Packed<Number> numbers(static_cast<std::size_t>(m * n));
      if (!is_zero) solve_one(access, factor, matrices[i], targets[i], numbers);
      write_matrix(access, b, targets[i], m, n, std::move(numbers));
    }
  }

  template <class Number>
  void solve_one(OperandAccess& access, Number factor, std::uint64_t matrix, std::uint64_t target,
                 Packed<Number>& numbers) const {
    const std::int64_t size = left ? m : n;
    Packed<Number> triangle = read_matrix<Number>(access, a, matrix, size, size);
    numbers = read_matrix<Number>(access, b, target, m, n);
    for (Number& number : numbers) number *= factor;
    bool lower = a.lower != is_transposed(a);
    if (left) {
      solve(triangle, {size, lower, a.unit}, numbers, n);
      return;
    }
    triangle = transposed(triangle, size, size);
    numbers = transposed(numbers, m, n);
    solve(triangle, {size, !lower, a.unit}, numbers, m);
    numbers = transposed(numbers, n, m);
  }
};

cublasStatus_t submit_solver(const BlasCall& call, cublasSideMode_t side, cublasFillMode_t fill,
                             cublasOperation_t trans, cublasDiagType_t diagonal, Solver solver,
                             const void* alpha) {
  if (const auto status = check_structure(call, side, fill, solver.m, solver.n)) return status;
  if (const auto status = call.check_choice("trans", trans, CUBLAS_OP_C)) return status;
  if (const auto status = call.check_choice("diag", diagonal, CUBLAS_DIAG_UNIT)) return status;
  if (const auto status = call.check_sizes({{"batchCount", solver.batch}})) return status;
  solver.left = side == CUBLAS_SIDE_LEFT;
  solver.a.op = trans;
  solver.a.unit = diagonal == CUBLAS_DIAG_UNIT;
  const std::int64_t size = solver.left ? solver.m : solver.n;
  if (const auto status = call.check_leading("lda", solver.a.leading, "A", size)) return status;
  if (const auto status = call.check_leading("ldb", solver.b.leading, "B", solver.m)) {
    return status;
  }
  if (const auto status = call.read("alpha", alpha, solver.b.type, solver.alpha)) return status;
  if (solver.m == 0 || solver.n == 0) return CUBLAS_STATUS_SUCCESS;
  return call.submit([solver](OperandAccess& access) {
    with_number(solver.b.type, [&](auto zero) { solver.run<decltype(zero)>(access); });
  });
}

template <class T, class Int>
cublasStatus_t trsm(BlasCall& call, cublasSideMode_t side, cublasFillMode_t fill,
                    cublasOperation_t trans, cublasDiagType_t diagonal, Int m, Int n,
                    const T* alpha, const T* a, Int lda, T* b, Int ldb) {
  constexpr cudaDataType type = kTypeOf<T>;
  return submit_solver(call, side, fill, trans, diagonal,
                       {structured(a, type, lda, MatrixKind::triangular, fill),
                        {"B", b, type, ldb},
                        {},
                        m,
                        n,
                        1,
                        true},
                       alpha);
}

template <class T, class Int>
cublasStatus_t trsm_batched(BlasCall& call, cublasSideMode_t side, cublasFillMode_t fill,
                            cublasOperation_t trans, cublasDiagType_t diagonal, Int m, Int n,
                            const T* alpha, const T* const* a, Int lda, T* const* b, Int ldb,
                            Int batch) {
  constexpr cudaDataType type = kTypeOf<T>;
  Solver solver{structured(a, type, lda, MatrixKind::triangular, fill),
                {"B", b, type, ldb},
                {},
                m,
                n,
                batch,
                true};
  solver.a.is_array = true;
  solver.b.is_array = true;
  return submit_solver(call, side, fill, trans, diagonal, solver, alpha);
}

}  // namespace
}  // namespace warpcheck::runtime

using namespace warpcheck::runtime;

// A row for each function: its name, and the template with its types.
extern "C" {
WARPCHECK_BLAS_64(cublasSsymm, _v2, symm, float, MatrixKind::symmetric)
WARPCHECK_BLAS_64(cublasDsymm, _v2, symm, double, MatrixKind::symmetric)
WARPCHECK_BLAS_64(cublasCsymm, _v2, symm, cuComplex, MatrixKind::symmetric)
WARPCHECK_BLAS_64(cublasZsymm, _v2, symm, cuDoubleComplex, MatrixKind::symmetric)
WARPCHECK_BLAS_64(cublasChemm, _v2, symm, cuComplex, MatrixKind::hermitian)
WARPCHECK_BLAS_64(cublasZhemm, _v2, symm, cuDoubleComplex, MatrixKind::hermitian)

WARPCHECK_BLAS_64(cublasStrmm, _v2, trmm, float)
WARPCHECK_BLAS_64(cublasDtrmm, _v2, trmm, double)
WARPCHECK_BLAS_64(cublasCtrmm, _v2, trmm, cuComplex)
WARPCHECK_BLAS_64(cublasZtrmm, _v2, trmm, cuDoubleComplex)

WARPCHECK_BLAS_64(cublasSsyrk, _v2, syrk, float, float, false)
WARPCHECK_BLAS_64(cublasDsyrk, _v2, syrk, double, double, false)
WARPCHECK_BLAS_64(cublasCsyrk, _v2, syrk, cuComplex, cuComplex, false)
WARPCHECK_BLAS_64(cublasZsyrk, _v2, syrk, cuDoubleComplex, cuDoubleComplex, false)
WARPCHECK_BLAS_64(cublasCherk, _v2, syrk, cuComplex, float, true)
WARPCHECK_BLAS_64(cublasZherk, _v2, syrk, cuDoubleComplex, double, true)

WARPCHECK_BLAS_64(cublasSsyrkx, , syrkx, float, float, false)
WARPCHECK_BLAS_64(cublasDsyrkx, , syrkx, double, double, false)
WARPCHECK_BLAS_64(cublasCsyrkx, , syrkx, cuComplex, cuComplex, false)
WARPCHECK_BLAS_64(cublasZsyrkx, , syrkx, cuDoubleComplex, cuDoubleComplex, false)
WARPCHECK_BLAS_64(cublasCherkx, , syrkx, cuComplex, float, true)
WARPCHECK_BLAS_64(cublasZherkx, , syrkx, cuDoubleComplex, double, true)

WARPCHECK_BLAS_64(cublasSsyr2k, _v2, syr2k, float, float, false)
WARPCHECK_BLAS_64(cublasDsyr2k, _v2, syr2k, double, double, false)
WARPCHECK_BLAS_64(cublasCsyr2k, _v2, syr2k, cuComplex, cuComplex, false)
WARPCHECK_BLAS_64(cublasZsyr2k, _v2, syr2k, cuDoubleComplex, cuDoubleComplex, false)
WARPCHECK_BLAS_64(cublasCher2k, _v2, syr2k, cuComplex, float, true)
WARPCHECK_BLAS_64(cublasZher2k, _v2, syr2k, cuDoubleComplex, double, true)

WARPCHECK_BLAS_64(cublasStrsm, _v2, trsm, float)
WARPCHECK_BLAS_64(cublasDtrsm, _v2, trsm, double)
WARPCHECK_BLAS_64(cublasCtrsm, _v2, trsm, cuComplex)
WARPCHECK_BLAS_64(cublasZtrsm, _v2, trsm, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasStrsmBatched, , trsm_batched, float)
WARPCHECK_BLAS_64(cublasDtrsmBatched, , trsm_batched, double)
WARPCHECK_BLAS_64(cublasCtrsmBatched, , trsm_batched, cuComplex)
WARPCHECK_BLAS_64(cublasZtrsmBatched, , trsm_batched, cuDoubleComplex)
}
