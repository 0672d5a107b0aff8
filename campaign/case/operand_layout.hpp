// The operands of a case in memory, with the strides that the case may state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/placement.hpp"
#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

struct OperandLayout {
  struct Stride {
    CaseField field;   // the field of the case; C and D of a product share one
    std::string name;  // in expressions of the contract: "ldd", "stride_x"
    std::int64_t tight = 0;

    /// Returns the case's value; 0 if it states none, or if the kernel does not take the stride.
    [[nodiscard]] std::int64_t stated(const Case& problem) const {
      return field.is_taken ? field.get(problem) : 0;
    }
  };

  Placement place;         // with the strides that the kernel gets
  std::string argument;    // its name in expressions: "a", "x"
  std::string size_field;  // the field at which an error about the size is located
  bool is_taken = true;    // false: the case has no such operand
  std::optional<Stride> leading;
  std::optional<Stride> batch;

  /// Calls a function with each of the strides.
  template <class Function>
  void for_each_stride(const Function& function) const {
    if (leading) function(*leading, place.leading);
    if (batch) function(*batch, place.stride);
  }
};

/// Returns the operands in the order of Layouts::operands. With a name, only those that it may be
/// about: it is that of an argument, or of a stride or its field.
[[nodiscard]] std::vector<OperandLayout> operand_layouts(const contract::Contract& contract,
                                                         const Case& problem,
                                                         std::string_view name = {});

/// Sets the tight strides, and those of the place: the case's, or else the tight ones. Lines have
/// at least one element, and matrices at least `least_matrix`.
void set_strides(const Case& problem, std::int64_t least_matrix, OperandLayout& operand);

}  // namespace warpcheck::campaign
