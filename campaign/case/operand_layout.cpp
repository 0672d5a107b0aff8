#include "campaign/case/operand_layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "campaign/case/product.hpp"
#include "campaign/case/tensor_case.hpp"

namespace warpcheck::campaign {
namespace {

/// Returns the largest tight value of the operands that have the field of a stride, of those for
/// which the kernel takes it if there are any.
std::int64_t tight_in(const std::vector<OperandLayout>& operands, std::string_view field) {
  std::pair<bool, std::int64_t> largest;  // true: the kernel takes it
  for (const OperandLayout& operand : operands) {
    for (const OperandLayout::Stride& stride : operand.strides) {
      if (stride.field.name != field) continue;
      largest = std::max(largest, std::pair(stride.field.is_taken, stride.tight));
    }
  }
  return largest.second;
}

}  // namespace

std::vector<OperandLayout> operand_layouts(const contract::Contract& contract, const Case& problem,
                                           std::string_view name) {
  return is_product(contract) ? product::operand_layouts(contract, problem, name)
                              : tensor::operand_layouts(contract, problem, name);
}

const OperandLayout::Stride* OperandLayout::stride_of(std::size_t axis) const {
  const auto found = std::find_if(strides.begin(), strides.end(),
                                  [&](const Stride& stride) { return stride.axis == axis; });
  return found == strides.end() ? nullptr : &*found;
}

bool has_no_output(const contract::Contract& contract, const Case& problem) {
  const std::vector<OperandLayout> operands = operand_layouts(contract, problem);
  return std::all_of(operands.begin(), operands.end(), [](const OperandLayout& operand) {
    const Placement& place = operand.place;
    return !operand.is_output || place.batch == 0 || place.rows == 0 || place.columns == 0;
  });
}

void set_strides(const Case& problem, std::int64_t least, OperandLayout& operand) {
  Placement& place = operand.place;
  std::int64_t tight = 1;
  bool is_of_lines = true;
  for (auto number = place.nest.rbegin(); number != place.nest.rend(); ++number) {
    Placement::Axis& axis = place.axes[*number];
    axis.stride = tight;
    for (OperandLayout::Stride& stride : operand.strides) {
      if (stride.axis != *number) continue;
      stride.tight = tight;
      if (const std::int64_t stated = stride.stated(problem)) axis.stride = stated;
    }
    if (__builtin_mul_overflow(axis.extent, axis.stride, &tight)) {
      tight = std::numeric_limits<std::int64_t>::max();
    }
    tight = std::max(tight, is_of_lines ? std::int64_t{1} : least);
    is_of_lines = false;
  }
}

std::int64_t tight_stride(const contract::Contract& contract, const Case& problem,
                          std::string_view field) {
  return tight_in(operand_layouts(contract, problem, field), field);
}

void reset_short_strides(const contract::Contract& contract, Case& problem) {
  if (!states_stride(problem)) return;
  // A shorter stride makes those shorter that step over it.
  std::size_t most = 1;
  for (std::size_t i = 0; i < most; ++i) {
    const std::vector<OperandLayout> operands = operand_layouts(contract, problem);
    for (const OperandLayout& operand : operands) {
      most = std::max(most, operand.strides.size());
      if (i >= operand.strides.size()) continue;
      const CaseField& field = operand.strides[i].field;
      const std::int64_t value = field.get(problem);
      if (value != 0 && value < tight_in(operands, field.name)) field.set(problem, 0);
    }
  }
}

}  // namespace warpcheck::campaign
