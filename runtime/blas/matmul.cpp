#include "runtime/blas/matmul.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "runtime/blas/entry.hpp"
#include "runtime/memory.hpp"

namespace warpcheck::runtime {
namespace {

Operand operand_of(const MatrixArgument& matrix, std::uint64_t address, std::int64_t rows,
                   std::int64_t columns, MatrixPart part) {
  if (matrix.is_vector) {
    return vector_operand(matrix.name, pointer_to(address), matrix.type, rows * columns,
                          matrix.leading);
  }
  const bool exchanged = is_transposed(matrix) != matrix.row_major;
  Operand operand{matrix.name, address, matrix.type};
  operand.rows = exchanged ? columns : rows;
  operand.columns = exchanged ? rows : columns;
  operand.leading = matrix.leading;
  operand.part = part;
  operand.row_major = matrix.row_major;
  if (matrix.kind == MatrixKind::general) return operand;
  operand.part = matrix.lower ? MatrixPart::lower : MatrixPart::upper;
  if (matrix.unit) {
    operand.part = matrix.lower ? MatrixPart::below_diagonal : MatrixPart::above_diagonal;
  }
  return operand;
}

/// A real number as one of a type with which functions compute.
template <class Number>
Number number(double value) {
  if constexpr (std::is_arithmetic_v<Number>) {
    return static_cast<Number>(value);
  } else {
    return static_cast<typename Number::value_type>(value);
  }
}

/// Sets the elements of a square matrix that were not read.
template <class Number>
void complete(Packed<Number>& numbers, const MatrixArgument& matrix, std::int64_t n) {
  const auto at = [&](std::int64_t row, std::int64_t column) -> Number& {
    return numbers[static_cast<std::size_t>(row + column * n)];
  };
  for (std::int64_t i = 0; i < n; ++i) {
    if (matrix.unit) at(i, i) = Number{1};
    if constexpr (!std::is_arithmetic_v<Number>) {
      if (matrix.kind == MatrixKind::hermitian) at(i, i) = at(i, i).real();
    }
    for (std::int64_t j = 0; j < i && matrix.kind != MatrixKind::triangular; ++j) {
      Number& from = matrix.lower ? at(i, j) : at(j, i);
      Number& to = matrix.lower ? at(j, i) : at(i, j);
      to = matrix.kind == MatrixKind::hermitian ? conjugate(from) : from;
    }
  }
}

/// One product: `Number` of the factors and sums, `Scale` of alpha and beta.
template <class Number, class Scale>
class MatmulRun {
 public:
  MatmulRun(OperandAccess& access, const Matmul& matmul)
      : access_(access), matmul_(matmul), epilogue_(matmul.epilogue, access, matmul.m, matmul.n) {}

  void run() {
    alpha_ = factors(matmul_.alpha, matmul_.alpha_per_row);
    beta_ = factors(matmul_.beta, matmul_.beta_per_row);
    const auto addresses = [&](const MatrixArgument& matrix) {
      return addresses_of(access_, matrix, matmul_.batch);
    };
    const bool multiplies = !is_zero(alpha_) && matmul_.k > 0;
    if (!multiplies && keeps_values()) return;
    const auto a = multiplies ? addresses(matmul_.a) : std::vector<std::uint64_t>{};
    const auto b = multiplies ? addresses(matmul_.b) : std::vector<std::uint64_t>{};
    const auto c = is_zero(beta_) ? std::vector<std::uint64_t>{} : addresses(matmul_.c);
    const auto d = addresses(matmul_.d);
    for (std::size_t i = 0; i < d.size(); ++i) {
      Packed<Scale> sums(size());
      if (multiplies) multiply(a[i], b[i], i, sums);
      if (!c.empty()) add(c[i], sums);
      if (matmul_.real_diagonal) make_diagonal_real(sums);
      if constexpr (std::is_floating_point_v<Scale>) {
        epilogue_.apply(sums, i);
      }
      write_matrix(access_, matmul_.d, d[i], matmul_.m, matmul_.n, std::move(sums), matmul_.part);
    }
    epilogue_.finish();
  }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(matmul_.m * matmul_.n); }
  [[nodiscard]] static bool is_zero(const Packed<Scale>& factors) {
    return std::all_of(factors.begin(), factors.end(),
                       [](const Scale& factor) { return factor == Scale{}; });
  }

  /// D is C, and beta is 1: without a product, BLAS accesses neither.
  [[nodiscard]] bool keeps_values() const {
    return matmul_.c.address == matmul_.d.address && beta_ == Packed<Scale>{Scale(1)} &&
           matmul_.epilogue.kind == CUBLASLT_EPILOGUE_DEFAULT &&
           matmul_.epilogue.d_scale == nullptr && matmul_.epilogue.d_amax == nullptr;
  }

  /// One factor, or one for each row.
  [[nodiscard]] Packed<Scale> factors(const Factor& factor, bool per_row) {
    if (!per_row) return {value_of<Scale>(access_, factor)};
    return access_.read<Scale>(
        {factor.name, address_of(factor.device), factor.type, matmul_.m, 1, matmul_.m});
  }
  [[nodiscard]] Scale factor(const Packed<Scale>& factors, std::size_t element) const {
    return factors.size() == 1 ? factors[0]
                               : factors[element % static_cast<std::size_t>(matmul_.m)];
  }

  void multiply(std::uint64_t a, std::uint64_t b, std::size_t batch, Packed<Scale>& sums) {
    const auto left = read_matrix<Number>(access_, matmul_.a, a, matmul_.m, matmul_.k);
    const auto right = read_matrix<Number>(access_, matmul_.b, b, matmul_.k, matmul_.n);
    const bool halves = matmul_.types.scale == CUDA_R_16F;
    const Packed<Number> products = product(left, right, matmul_.m, matmul_.n, matmul_.k, halves);
    const auto scale = number<Scale>(epilogue_.scale_of_factors());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if constexpr (std::is_same_v<Scale, std::int32_t>) {  // sums wrap around
        sums[i] = static_cast<Scale>(static_cast<std::uint32_t>(factor(alpha_, i)) *
                                     static_cast<std::uint32_t>(products[i]));
      } else {
        sums[i] = factor(alpha_, i) * scale * static_cast<Scale>(products[i]);
      }
    }
    if constexpr (std::is_floating_point_v<Scale> && std::is_same_v<Scale, Number>) {
      epilogue_.write_factor_sums(left, right, batch);
    }
  }

  void add(std::uint64_t c, Packed<Scale>& sums) {
    const auto scale = number<Scale>(epilogue_.scale_of_summand());
    const Packed<Scale> summands =
        read_matrix<Scale>(access_, matmul_.c, c, matmul_.m, matmul_.n, matmul_.part);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if constexpr (std::is_same_v<Scale, std::int32_t>) {
        sums[i] = static_cast<Scale>(static_cast<std::uint32_t>(sums[i]) +
                                     static_cast<std::uint32_t>(factor(beta_, i)) *
                                         static_cast<std::uint32_t>(summands[i]));
      } else {
        sums[i] += factor(beta_, i) * scale * summands[i];
      }
    }
  }

  void make_diagonal_real(Packed<Scale>& sums) const {
    if constexpr (!std::is_arithmetic_v<Scale>) {
      for (std::int64_t i = 0; i < matmul_.n; ++i) {
        Scale& element = sums[static_cast<std::size_t>(i + i * matmul_.m)];
        element = element.real();
      }
    }
  }

  OperandAccess& access_;
  const Matmul& matmul_;
  EpilogueRun epilogue_;
  Packed<Scale> alpha_;
  Packed<Scale> beta_;
};

void run(OperandAccess& access, const Matmul& matmul) {
  if (matmul.types.a == CUDA_R_8I && matmul.types.scale == CUDA_R_32I) {
    MatmulRun<std::int32_t, std::int32_t>(access, matmul).run();
  } else if (matmul.types.a == CUDA_R_8I && matmul.types.c == CUDA_R_8I) {
    MatmulRun<std::int32_t, float>(access, matmul).run();
  } else {
    with_number(matmul.types.scale, [&](auto zero) {
      MatmulRun<decltype(zero), decltype(zero)>(access, matmul).run();
    });
  }
}

}  // namespace

std::vector<std::uint64_t> addresses_of(OperandAccess& access, const MatrixArgument& matrix,
                                        std::int64_t batch) {
  const std::uint64_t first = address_of(matrix.address);
  if (matrix.is_array) return access.read_pointers(matrix.name, first, batch);
  std::vector<std::uint64_t> addresses;
  for (std::int64_t i = 0; i < batch; ++i) {
    addresses.push_back(first +
                        static_cast<std::uint64_t>(i * matrix.stride) * size_of(matrix.type));
  }
  return addresses;
}

template <class Number>
Packed<Number> transposed(const Packed<Number>& numbers, std::int64_t rows, std::int64_t columns) {
  Packed<Number> result(numbers.size());
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      result[static_cast<std::size_t>(column + row * columns)] =
          numbers[static_cast<std::size_t>(row + column * rows)];
    }
  }
  return result;
}

template <class Number>
Packed<Number> read_matrix(OperandAccess& access, const MatrixArgument& matrix,
                           std::uint64_t address, std::int64_t rows, std::int64_t columns,
                           MatrixPart part) {
  const Operand operand = operand_of(matrix, address, rows, columns, part);
  Packed<Number> numbers = access.read<Number>(operand);
  if (matrix.kind != MatrixKind::general) complete(numbers, matrix, rows);
  if (!matrix.is_vector && is_transposed(matrix) != matrix.row_major) {
    numbers = transposed(numbers, operand.rows, operand.columns);
  }
  if (matrix.op == CUBLAS_OP_C) {
    for (Number& number : numbers) number = conjugate(number);
  }
  return numbers;
}

template <class Number>
void write_matrix(OperandAccess& access, const MatrixArgument& matrix, std::uint64_t address,
                  std::int64_t rows, std::int64_t columns, Packed<Number> numbers,
                  MatrixPart part) {
  if (matrix.row_major) numbers = transposed(numbers, rows, columns);
  access.write(operand_of(matrix, address, rows, columns, part), numbers);
}

#define WARPCHECK_NUMBER(Number)                                                                 \
  template Packed<Number> transposed(const Packed<Number>&, std::int64_t, std::int64_t);         \
  template Packed<Number> read_matrix(OperandAccess&, const MatrixArgument&, std::uint64_t,      \
                                      std::int64_t, std::int64_t, MatrixPart);                   \
  template void write_matrix(OperandAccess&, const MatrixArgument&, std::uint64_t, std::int64_t, \
                             std::int64_t, Packed<Number>, MatrixPart);
WARPCHECK_NUMBER(float)
WARPCHECK_NUMBER(double)
WARPCHECK_NUMBER(std::complex<float>)
WARPCHECK_NUMBER(std::complex<double>)
WARPCHECK_NUMBER(std::int32_t)
#undef WARPCHECK_NUMBER

cublasStatus_t check_types(const BlasCall& call, const MatmulTypes& types, bool extended) {
  if (is_listed(types, extended)) return CUBLAS_STATUS_SUCCESS;
  return call.not_supported(
      fmt::format("the manual lists no product with compute type {}, scale type {}, and the types "
                  "{}, {}, {} and {} of A, B, C and D",
                  static_cast<int>(types.compute), describe(types.scale), describe(types.a),
                  describe(types.b), describe(types.c), describe(types.d)));
}

cublasStatus_t submit_matmul(const BlasCall& call, const Matmul& matmul, bool extended) {
  if (const auto status = check_types(call, matmul.types, extended)) return status;
  if (matmul.m == 0 || matmul.n == 0 || matmul.batch == 0) return CUBLAS_STATUS_SUCCESS;
  return call.submit([matmul](OperandAccess& access) { run(access, matmul); });
}

}  // namespace warpcheck::runtime
