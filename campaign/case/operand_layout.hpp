// The operands of a case in memory, with the strides that the case may state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/operand_fields.hpp"
#include "campaign/case/placement.hpp"
#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

struct OperandLayout {
  struct Stride {
    CaseField field;       // the field of the case; C and D of a product share one
    std::string name;      // the name in expressions of the contract: "ldd", "stride_x"
    std::size_t axis = 0;  // number of the axis of the place
    std::int64_t tight = 0;

    /// Returns the case's value; 0 if it states none, or if the kernel does not take the stride.
    [[nodiscard]] std::int64_t stated(const Case& problem) const {
      return field.is_taken ? field.get(problem) : 0;
    }
  };

  Placement place;
  std::string argument;    // its name in expressions: "a", "x"
  std::string size_field;  // the field at which an error about the size is located
  bool is_taken = true;    // false: the case has no such operand
  bool is_output = false;
  std::vector<Stride> strides = {};  // ordered by their place in memory, that of lines first

  [[nodiscard]] std::int64_t effective(const Stride& stride) const {
    return place.axes[stride.axis].stride;
  }
  /// The stride of an axis of the place; null if it has none of its own.
  [[nodiscard]] const Stride* stride_of(std::size_t axis) const;
};

/// Returns the operands in the order of CaseSchema::operands. With a name, only those that it may
/// be about: it is that of an argument, or of a stride or its field.
[[nodiscard]] std::vector<OperandLayout> operand_layouts(const contract::Contract& contract,
                                                         const Case& problem,
                                                         std::string_view name = {});

/// Returns true if no output of the case has an element.
[[nodiscard]] bool has_no_output(const contract::Contract& contract, const Case& problem);

/// Returns the layout of one operand.
[[nodiscard]] OperandLayout operand_layout(const OperandFields& operand, const Case& problem);

}  // namespace warpcheck::campaign
