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
    operand.for_each_stride([&](const OperandLayout::Stride& stride, std::int64_t) {
      if (stride.field.name != field) return;
      largest = std::max(largest, std::pair(stride.field.is_taken, stride.tight));
    });
  }
  return largest.second;
}

}  // namespace

std::vector<OperandLayout> operand_layouts(const contract::Contract& contract, const Case& problem,
                                           std::string_view name) {
  return is_product(contract) ? product::operand_layouts(contract, problem, name)
                              : tensor::operand_layouts(contract, problem, name);
}

void set_strides(const Case& problem, std::int64_t least_matrix, OperandLayout& operand) {
  Placement& place = operand.place;
  operand.leading->tight = std::max<std::int64_t>(1, place.line_length());
  const std::int64_t leading = operand.leading->stated(problem);
  place.leading = leading != 0 ? leading : operand.leading->tight;
  std::int64_t elements = 0;
  if (__builtin_mul_overflow(place.lines(), place.leading, &elements)) {
    elements = std::numeric_limits<std::int64_t>::max();
  }
  operand.batch->tight = std::max(elements, least_matrix);
  const std::int64_t stride = operand.batch->stated(problem);
  place.stride = stride != 0 ? stride : operand.batch->tight;
}

std::int64_t tight_stride(const contract::Contract& contract, const Case& problem,
                          std::string_view field) {
  return tight_in(operand_layouts(contract, problem, field), field);
}

void reset_short_strides(const contract::Contract& contract, Case& problem) {
  if (!states_stride(problem)) return;
  // Shorter lines need shorter batch strides.
  for (const auto stride : {&OperandLayout::leading, &OperandLayout::batch}) {
    const std::vector<OperandLayout> operands = operand_layouts(contract, problem);
    for (const OperandLayout& operand : operands) {
      const std::optional<OperandLayout::Stride>& one = operand.*stride;
      if (!one) continue;
      const std::int64_t value = one->field.get(problem);
      if (value != 0 && value < tight_in(operands, one->field.name)) one->field.set(problem, 0);
    }
  }
}

}  // namespace warpcheck::campaign
