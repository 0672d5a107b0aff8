// D = alpha op(A) op(B) + beta C: the functions of one matrix product, of matrices with a structure
// and of vectors, and batches of them.
#pragma once

#include "runtime/blas/call.hpp"
#include "runtime/blas/epilogue.hpp"
#include "runtime/blas/types.hpp"

namespace warpcheck::runtime {

/// How the elements that a function reads determine the others.
enum class MatrixKind : std::uint8_t { general, symmetric, hermitian, triangular };

/// A matrix, or the matrices of a batch, as arguments.
struct MatrixArgument {
  const char* name = "";
  const void* address = nullptr;
  cudaDataType type = CUDA_R_32F;
  std::int64_t leading = 1;  // or the increment of a vector
  cublasOperation_t op = CUBLAS_OP_N;
  bool is_vector = false;
  bool row_major = false;
  std::int64_t stride = 0;  // elements from one matrix of a batch to the next
  bool is_array = false;    // the address is of pointers to the matrices, in memory of the device
  MatrixKind kind = MatrixKind::general;
  bool lower = false;  // not general: the triangle that is read
  bool unit = false;   // triangular: ones are on the diagonal, which is not read
};

[[nodiscard]] inline bool is_transposed(const MatrixArgument& matrix) {
  return matrix.op != CUBLAS_OP_N;
}

struct Matmul {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;
  MatmulTypes types = {};
  MatrixArgument a = {};
  MatrixArgument b = {};
  MatrixArgument c = {};
  MatrixArgument d = {};
  Factor alpha = {};
  Factor beta = {};
  // Elements from the first row of a triangle up to its last one; the others of C and D are not
  // used.
  MatrixPart part = MatrixPart::full;
  bool real_diagonal = false;  // the result is hermitian
  bool alpha_per_row = false;  // alpha has a factor for each row of D
  bool beta_per_row = false;
  Epilogue epilogue = {};
};

/// The addresses of the matrices of a batch.
[[nodiscard]] std::vector<std::uint64_t> addresses_of(OperandAccess& access,
                                                      const MatrixArgument& matrix,
                                                      std::int64_t batch);

/// The packed numbers of op(M), which has rows x columns elements.
template <class Number>
[[nodiscard]] Packed<Number> read_matrix(OperandAccess& access, const MatrixArgument& matrix,
                                         std::uint64_t address, std::int64_t rows,
                                         std::int64_t columns, MatrixPart part = MatrixPart::full);
template <class Number>
void write_matrix(OperandAccess& access, const MatrixArgument& matrix, std::uint64_t address,
                  std::int64_t rows, std::int64_t columns, Packed<Number> numbers,
                  MatrixPart part = MatrixPart::full);

template <class Number>
[[nodiscard]] Packed<Number> transposed(const Packed<Number>& numbers, std::int64_t rows,
                                        std::int64_t columns);

/// Reports types that the manual does not list; `extended`: for cublasLtMatmul().
cublasStatus_t check_types(const BlasCall& call, const MatmulTypes& types, bool extended);
/// Checks the types, and submits the product.
cublasStatus_t submit_matmul(const BlasCall& call, const Matmul& matmul, bool extended = false);

}  // namespace warpcheck::runtime
