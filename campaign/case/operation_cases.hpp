// The functions in which the cases of one operation differ from those of another.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/operand_fields.hpp"
#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

struct OperationCases {
  /// Returns the operands. With a name, only those that it may be about: it is that of an argument,
  /// or of a stride or its field.
  std::vector<OperandFields> (*operands)(const contract::Contract& contract, std::string_view name);

  /// Returns the fields of the schema, without the values that factors usually have.
  std::vector<CaseField> (*fields)(const contract::Contract& contract,
                                   const std::vector<OperandFields>& operands);

  /// Sets all of the schema but its fields and operands.
  void (*describe)(const contract::Contract& contract, CaseSchema& schema);

  /// Returns the field that a name of `requires` is; empty for a stride and for an unknown name.
  std::optional<LineField> (*named_field)(const contract::Contract& contract,
                                          std::string_view name);

  /// Throws InputError if a number of the case is none of its field.
  void (*check_values)(const contract::Contract& contract, const Case& problem);
};

[[nodiscard]] const OperationCases& operation_cases(const contract::Contract& contract);

namespace product {
extern const OperationCases kCases;
}
namespace tensor {
extern const OperationCases kCases;
}

}  // namespace warpcheck::campaign
