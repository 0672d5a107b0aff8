// The operands of D <- alpha A B + beta C + bias, and the members of a contract and of a case that
// describe each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/scalar_type.hpp"
#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

enum class Operand : std::uint8_t { a, b, c, d, bias };

inline constexpr std::array kOperands = {Operand::a, Operand::b, Operand::c, Operand::d,
                                         Operand::bias};
inline constexpr std::array kMatrices = {Operand::a, Operand::b, Operand::c, Operand::d};

/// A leading dimension or a batch stride of one matrix: the field of the case line and the argument
/// of the kernel.
struct StrideField {
  enum class Kind : std::uint8_t { leading_dimension, batch_stride };

  Kind kind = Kind::leading_dimension;
  Operand operand = Operand::a;
  std::string_view name;  // name of the field; D has "ldc", too
  std::int64_t Case::*field = nullptr;
  contract::ArgumentWord word = contract::ArgumentWord::lda;

  /// Returns true if the kernel takes the value as an argument; otherwise the stride is tight.
  [[nodiscard]] bool taken_by(const contract::Contract& contract) const {
    return contract.takes(word);
  }

  /// Returns the least value that the layout allows; at least 1 for a leading dimension, as in the
  /// BLAS.
  [[nodiscard]] std::int64_t tight(const contract::Contract& contract, const Case& problem) const;

  /// Returns the case's value if the kernel takes it and the case gives one, otherwise the tight
  /// one.
  [[nodiscard]] std::int64_t effective(const contract::Contract& contract,
                                       const Case& problem) const;
};

/// The members that describe one operand. D has the fields of C in the case line.
struct OperandFields {
  std::string_view name;  // "A", "bias"
  contract::ArgumentWord address;
  ScalarType contract::Contract::*type;
  std::int64_t Case::*offset;

  // Matrices only. A bias is a vector of n elements.
  contract::Layout contract::Contract::*layout = nullptr;
  std::int64_t Case::*rows = nullptr;
  std::int64_t Case::*columns = nullptr;
  StrideField leading_dimension = {};
  StrideField batch_stride = {};
  bool Case::*transposed = nullptr;  // A and B only
  std::optional<contract::ArgumentWord> transpose_word = {};
  std::string_view size_field = {};  // the field at which an error about the size is located
};

[[nodiscard]] const OperandFields& fields(Operand operand);

/// The strides that a case may choose, in the order of the case line: lda, ldb, ldc, stride_a,
/// stride_b, stride_c. Those of C belong to D if the kernel takes D's but not C's, and stride_c
/// also if it takes both strides and ldd but not ldc.
[[nodiscard]] std::array<StrideField, 6> stride_fields(const contract::Contract& contract);

/// Returns the layout of a matrix in memory: the contract's, exchanged if the case transposes the
/// operand.
[[nodiscard]] contract::Layout layout_of(const contract::Contract& contract, const Case& problem,
                                         Operand matrix);

/// Returns the number of elements in a line, which is a row of a row-major matrix or a column of a
/// column-major one.
[[nodiscard]] std::int64_t line_length(const contract::Contract& contract, const Case& problem,
                                       Operand matrix);

/// The effective leading dimension and batch stride. See StrideField::effective().
[[nodiscard]] std::int64_t leading_dimension(const contract::Contract& contract,
                                             const Case& problem, Operand matrix);
[[nodiscard]] std::int64_t batch_stride(const contract::Contract& contract, const Case& problem,
                                        Operand matrix);

}  // namespace warpcheck::campaign
