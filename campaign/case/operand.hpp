// The operands of D <- alpha A B + beta C + bias, and what describes each in a contract and in a
// case.
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

/// The fields and the members of a contract that describe one operand. D has the fields of C.
struct OperandFields {
  /// The stride is tight unless the kernel takes the argument.
  struct Stride {
    LineField field;
    contract::ArgumentWord word = contract::ArgumentWord::lda;
  };

  std::string_view name;  // "A", "bias"
  contract::ArgumentWord address;
  ScalarType contract::Contract::*type;
  std::string_view offset;

  // Matrices only. A bias is a vector of n elements.
  contract::Layout contract::Contract::*layout = nullptr;
  std::string_view rows = {};
  std::string_view columns = {};
  std::array<Stride, 2> strides = {};                        // leading dimension, batch stride
  std::optional<contract::ArgumentWord> transposition = {};  // A and B only; its field has its name
  std::string_view size_field = {};  // the field at which an error about the size is located
};

[[nodiscard]] const OperandFields& fields(Operand operand);

/// Returns D, or C if the kernel takes no D.
[[nodiscard]] Operand output_of(const contract::Contract& contract);

}  // namespace warpcheck::campaign
