// The products of matrices of cuBLAS: of one type, with types as arguments, and batches of both.
#include "runtime/blas/entry.hpp"
#include "runtime/blas/matmul.hpp"

namespace warpcheck::runtime {
namespace {

constexpr int kLastOperation = CUBLAS_OP_C;

struct GemmArguments {
  cublasOperation_t transa;
  cublasOperation_t transb;
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  const void* alpha;
  const void* beta;
  std::int64_t batch = 1;
};

/// The types of the functions of one type.
MatmulTypes types_of(cudaDataType type) {
  const cublasComputeType_t compute = type == CUDA_R_16F              ? CUBLAS_COMPUTE_16F
                                      : real_type(type) == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                                                      : CUBLAS_COMPUTE_32F;
  return {compute, type, type, type, type, type};
}

cublasStatus_t multiply(const BlasCall& call, const GemmArguments& arguments,
                        const MatmulTypes& types, MatrixArgument a, MatrixArgument b,
                        MatrixArgument c) {
  Matmul matmul{arguments.m, arguments.n, arguments.k, arguments.batch, types};
  if (const auto status = call.check_choice("transa", arguments.transa, kLastOperation)) {
    return status;
  }
  if (const auto status = call.check_choice("transb", arguments.transb, kLastOperation)) {
    return status;
  }
  if (const auto status = call.check_sizes(
          {{"m", matmul.m}, {"n", matmul.n}, {"k", matmul.k}, {"batchCount", matmul.batch}})) {
    return status;
  }
  a.op = arguments.transa;
  b.op = arguments.transb;
  if (const auto status =
          call.check_leading("lda", a.leading, "A", is_transposed(a) ? matmul.k : matmul.m)) {
    return status;
  }
  if (const auto status =
          call.check_leading("ldb", b.leading, "B", is_transposed(b) ? matmul.n : matmul.k)) {
    return status;
  }
  if (const auto status = call.check_leading("ldc", c.leading, "C", matmul.m)) return status;
  if (const auto status = call.read("alpha", arguments.alpha, types.scale, matmul.alpha)) {
    return status;
  }
  if (const auto status = call.read("beta", arguments.beta, types.scale, matmul.beta)) {
    return status;
  }
  matmul.a = a;
  matmul.b = b;
  matmul.c = c;
  matmul.d = c;
  return submit_matmul(call, matmul);
}

MatrixArgument matrix(const char* name, const void* address, cudaDataType type,
                      std::int64_t leading, std::int64_t stride = 0) {
  MatrixArgument argument{name, address, type, leading};
  argument.stride = stride;
  return argument;
}
MatrixArgument array(const char* name, const void* address, cudaDataType type,
                     std::int64_t leading) {
  MatrixArgument argument{name, address, type, leading};
  argument.is_array = true;
  return argument;
}

template <class T, class Int>
cublasStatus_t gemm(BlasCall& call, cublasOperation_t transa, cublasOperation_t transb, Int m,
                    Int n, Int k, const T* alpha, const T* a, Int lda, const T* b, Int ldb,
                    const T* beta, T* c, Int ldc) {
  constexpr cudaDataType type = kTypeOf<T>;
  return multiply(call, {transa, transb, m, n, k, alpha, beta}, types_of(type),
                  matrix("A", a, type, lda), matrix("B", b, type, ldb), matrix("C", c, type, ldc));
}

template <class T, class Int>
cublasStatus_t gemm_strided(BlasCall& call, cublasOperation_t transa, cublasOperation_t transb,
                            Int m, Int n, Int k, const T* alpha, const T* a, Int lda,
                            long long stride_a, const T* b, Int ldb, long long stride_b,
                            const T* beta, T* c, Int ldc, long long stride_c, Int batch) {
  constexpr cudaDataType type = kTypeOf<T>;
  return multiply(call, {transa, transb, m, n, k, alpha, beta, batch}, types_of(type),
                  matrix("A", a, type, lda, stride_a), matrix("B", b, type, ldb, stride_b),
                  matrix("C", c, type, ldc, stride_c));
}

template <class T, class Int>
cublasStatus_t gemm_batched(BlasCall& call, cublasOperation_t transa, cublasOperation_t transb,
                            Int m, Int n, Int k, const T* alpha, const T* const* a, Int lda,
                            const T* const* b, Int ldb, const T* beta, T* const* c, Int ldc,
                            Int batch) {
  constexpr cudaDataType type = kTypeOf<T>;
  return multiply(call, {transa, transb, m, n, k, alpha, beta, batch}, types_of(type),
                  array("A", a, type, lda), array("B", b, type, ldb), array("C", c, type, ldc));
}

/// cublasSgemmEx() and cublasCgemmEx(), which compute in f32.
template <class T, class Int>
cublasStatus_t typed_gemm_ex(BlasCall& call, cublasOperation_t transa, cublasOperation_t transb,
                             Int m, Int n, Int k, const T* alpha, const void* a,
                             cudaDataType a_type, Int lda, const void* b, cudaDataType b_type,
                             Int ldb, const T* beta, void* c, cudaDataType c_type, Int ldc) {
  const MatmulTypes types{CUBLAS_COMPUTE_32F, kTypeOf<T>, a_type, b_type, c_type, c_type};
  return multiply(call, {transa, transb, m, n, k, alpha, beta}, types, matrix("A", a, a_type, lda),
                  matrix("B", b, b_type, ldb), matrix("C", c, c_type, ldc));
}

MatmulTypes types_of(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c) {
  return {compute, scale_type(compute, c), a, b, c, c};
}

template <class Int>
cublasStatus_t gemm_ex(BlasCall& call, cublasOperation_t transa, cublasOperation_t transb, Int m,
                       Int n, Int k, const void* alpha, const void* a, cudaDataType a_type, Int lda,
                       const void* b, cudaDataType b_type, Int ldb, const void* beta, void* c,
                       cudaDataType c_type, Int ldc, cublasComputeType_t compute,
                       cublasGemmAlgo_t) {
  return multiply(call, {transa, transb, m, n, k, alpha, beta},
                  types_of(compute, a_type, b_type, c_type), matrix("A", a, a_type, lda),
                  matrix("B", b, b_type, ldb), matrix("C", c, c_type, ldc));
}

template <class Int>
cublasStatus_t gemm_strided_ex(BlasCall& call, cublasOperation_t transa, cublasOperation_t transb,
                               Int m, Int n, Int k, const void* alpha, const void* a,
                               cudaDataType a_type, Int lda, long long stride_a, const void* b,
                               cudaDataType b_type, Int ldb, long long stride_b, const void* beta,
                               void* c, cudaDataType c_type, Int ldc, long long stride_c, Int batch,
                               cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply(call, {transa, transb, m, n, k, alpha, beta, batch},
                  types_of(compute, a_type, b_type, c_type), matrix("A", a, a_type, lda, stride_a),
                  matrix("B", b, b_type, ldb, stride_b), matrix("C", c, c_type, ldc, stride_c));
}

template <class Int>
cublasStatus_t gemm_batched_ex(BlasCall& call, cublasOperation_t transa, cublasOperation_t transb,
                               Int m, Int n, Int k, const void* alpha, const void* const* a,
                               cudaDataType a_type, Int lda, const void* const* b,
                               cudaDataType b_type, Int ldb, const void* beta, void* const* c,
                               cudaDataType c_type, Int ldc, Int batch, cublasComputeType_t compute,
                               cublasGemmAlgo_t) {
  return multiply(call, {transa, transb, m, n, k, alpha, beta, batch},
                  types_of(compute, a_type, b_type, c_type), array("A", a, a_type, lda),
                  array("B", b, b_type, ldb), array("C", c, c_type, ldc));
}

/// The arrays of groups of batches: each group has its own sizes and factors.
template <class Int>
struct Groups {
  const cublasOperation_t* transa;
  const cublasOperation_t* transb;
  const Int* m;
  const Int* n;
  const Int* k;
  const void* alpha;
  const void* beta;
  const Int* lda;
  const Int* ldb;
  const Int* ldc;
  Int count;
  const Int* sizes;
};

/// A batch for each group, whose pointers follow those of the group before.
template <class Int>
cublasStatus_t multiply_groups(const BlasCall& call, const Groups<Int>& groups,
                               const MatmulTypes& types, const void* const* a, const void* const* b,
                               const void* const* c) {
  if (const auto status = call.check_sizes({{"group_count", groups.count}})) return status;
  const auto factor = [&](const void* all, Int group) -> const void* {
    if (all == nullptr) return nullptr;
    return static_cast<const std::byte*>(all) +
           static_cast<std::size_t>(group) * size_of(types.scale);
  };
  std::int64_t first = 0;
  for (Int i = 0; i < groups.count; ++i) {
    const GemmArguments arguments{
        groups.transa[i],        groups.transb[i],       groups.m[i],    groups.n[i], groups.k[i],
        factor(groups.alpha, i), factor(groups.beta, i), groups.sizes[i]};
    if (const auto status =
            multiply(call, arguments, types, array("A", a + first, types.a, groups.lda[i]),
                     array("B", b + first, types.b, groups.ldb[i]),
                     array("C", c + first, types.c, groups.ldc[i]))) {
      return status;
    }
    first += groups.sizes[i];
  }
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
const void* const* untyped(const T* const* pointers) {
  return reinterpret_cast<const void* const*>(pointers);
}

template <class T, class Int>
cublasStatus_t gemm_grouped(BlasCall& call, const cublasOperation_t* transa,
                            const cublasOperation_t* transb, const Int* m, const Int* n,
                            const Int* k, const T* alpha, const T* const* a, const Int* lda,
                            const T* const* b, const Int* ldb, const T* beta, T* const* c,
                            const Int* ldc, Int count, const Int* sizes) {
  return multiply_groups<Int>(call,
                              {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, count, sizes},
                              types_of(kTypeOf<T>), untyped(a), untyped(b), untyped<T>(c));
}

template <class Int>
cublasStatus_t gemm_grouped_ex(BlasCall& call, const cublasOperation_t* transa,
                               const cublasOperation_t* transb, const Int* m, const Int* n,
                               const Int* k, const void* alpha, const void* const* a,
                               cudaDataType a_type, const Int* lda, const void* const* b,
                               cudaDataType b_type, const Int* ldb, const void* beta,
                               void* const* c, cudaDataType c_type, const Int* ldc, Int count,
                               const Int* sizes, cublasComputeType_t compute) {
  return multiply_groups<Int>(call,
                              {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, count, sizes},
                              types_of(compute, a_type, b_type, c_type), a, b, c);
}

}  // namespace
}  // namespace warpcheck::runtime

using namespace warpcheck::runtime;

// A row for each function: its name, and the template with its types.
extern "C" {
WARPCHECK_BLAS_64(cublasSgemm, _v2, gemm, float)
WARPCHECK_BLAS_64(cublasDgemm, _v2, gemm, double)
WARPCHECK_BLAS_64(cublasCgemm, _v2, gemm, cuComplex)
WARPCHECK_BLAS_64(cublasZgemm, _v2, gemm, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasHgemm, , gemm, __half)
WARPCHECK_BLAS_64(cublasCgemm3m, , gemm, cuComplex)
WARPCHECK_BLAS_64(cublasZgemm3m, , gemm, cuDoubleComplex)

WARPCHECK_BLAS_64(cublasSgemmBatched, , gemm_batched, float)
WARPCHECK_BLAS_64(cublasDgemmBatched, , gemm_batched, double)
WARPCHECK_BLAS_64(cublasCgemmBatched, , gemm_batched, cuComplex)
WARPCHECK_BLAS_64(cublasZgemmBatched, , gemm_batched, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasHgemmBatched, , gemm_batched, __half)
WARPCHECK_BLAS_64(cublasCgemm3mBatched, , gemm_batched, cuComplex)

WARPCHECK_BLAS_64(cublasSgemmStridedBatched, , gemm_strided, float)
WARPCHECK_BLAS_64(cublasDgemmStridedBatched, , gemm_strided, double)
WARPCHECK_BLAS_64(cublasCgemmStridedBatched, , gemm_strided, cuComplex)
WARPCHECK_BLAS_64(cublasZgemmStridedBatched, , gemm_strided, cuDoubleComplex)
WARPCHECK_BLAS_64(cublasHgemmStridedBatched, , gemm_strided, __half)
WARPCHECK_BLAS_64(cublasCgemm3mStridedBatched, , gemm_strided, cuComplex)

WARPCHECK_BLAS_64(cublasSgemmEx, , typed_gemm_ex, float)
WARPCHECK_BLAS_64(cublasCgemmEx, , typed_gemm_ex, cuComplex)
WARPCHECK_BLAS_64(cublasCgemm3mEx, , typed_gemm_ex, cuComplex)
WARPCHECK_BLAS_EX(cublasGemmEx, gemm_ex)
WARPCHECK_BLAS_EX(cublasGemmBatchedEx, gemm_batched_ex)
WARPCHECK_BLAS_EX(cublasGemmStridedBatchedEx, gemm_strided_ex)

WARPCHECK_BLAS_64(cublasSgemmGroupedBatched, , gemm_grouped, float)
WARPCHECK_BLAS_64(cublasDgemmGroupedBatched, , gemm_grouped, double)
WARPCHECK_BLAS_EX(cublasGemmGroupedBatchedEx, gemm_grouped_ex)
}
