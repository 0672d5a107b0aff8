#include "campaign/case/operand_layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "campaign/case/operation_cases.hpp"
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

/// Sets the strides of the axes, of which the extents are known, in the order of memory: the
/// case's, or else the tight ones. A tight stride is at least `least`, of lines at least 1.
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

/// Returns the numbers of the axes by their place in memory, if no field states another order.
std::vector<std::size_t> usual_nest(const OperandFields& operand, const Case& problem,
                                    std::size_t axes) {
  std::vector<std::size_t> nest(axes);
  std::iota(nest.begin(), nest.end(), 0);
  if (!operand.layout) return nest;
  const bool is_transposed =
      !operand.transposition.empty() && problem.number(operand.transposition) != 0.0;
  if ((*operand.layout == contract::Layout::column) != is_transposed) {
    std::swap(nest[axes - 2], nest[axes - 1]);
  }
  return nest;
}

/// The axes of the place in memory, and the strides that have names.
void add_axes(const OperandFields& operand, const Case& problem,
              const std::vector<std::int64_t>& shape, OperandLayout& made) {
  Placement& place = made.place;
  const bool is_numbered = operand.strides_each_dimension();
  const std::size_t count = is_numbered ? shape.size() : std::min<std::size_t>(shape.size(), 2);
  if (count == 2 && !is_numbered) place.axes.push_back({place.batch});
  for (std::size_t i = shape.size() - count; i < shape.size(); ++i) {
    place.axes.push_back({shape[i]});
  }
  if (place.axes.empty()) place.axes.push_back({1});
  const std::vector<std::size_t> usual = usual_nest(operand, problem, place.axes.size());
  place.nest = usual;
  if (operand.orders.count() > 1) {
    const double digits = problem.value(operand.order).value_or(0.0);
    place.nest = operand.orders.order(operand.orders.number_of(digits).value_or(0));
  }
  for (auto axis = place.nest.rbegin(); axis != place.nest.rend(); ++axis) {
    for (const OperandFields::Stride& one : operand.strides) {
      if (usual[usual.size() - 1 - one.within] != *axis) continue;
      made.strides.push_back({CaseField({one.field, one.kind}, one.is_taken), one.name, *axis});
    }
  }
}

}  // namespace

OperandLayout operand_layout(const OperandFields& operand, const Case& problem) {
  std::vector<std::int64_t> shape;
  for (const std::string& name : operand.shape) shape.push_back(tensor::extent(problem, name));
  const std::size_t dimensions = shape.size();
  OperandLayout made;
  made.argument = operand.argument;
  made.size_field = operand.size_field;
  made.is_taken = operand.is_taken;
  made.is_output = operand.is_output;
  Placement& place = made.place;
  place.name = operand.name;
  place.type = operand.type;
  place.offset = problem.whole(operand.offset);
  place.rows = dimensions < 2 ? 1 : shape[dimensions - 2];
  place.columns = shape.empty() ? 1 : shape.back();
  for (std::size_t i = 0; i + 2 < dimensions; ++i) {
    if (__builtin_mul_overflow(place.batch, shape[i], &place.batch)) {
      place.batch = std::numeric_limits<std::int64_t>::max();
      break;
    }
  }
  place.vector = dimensions < 2;
  place.batched = operand.layout && dimensions > 2;
  add_axes(operand, problem, shape, made);
  // A step over an empty matrix may be 0.
  set_strides(problem, operand.layout ? 0 : 1, made);
  if (!operand.layout) place.shape = std::move(shape);
  return made;
}

std::vector<OperandLayout> operand_layouts(const contract::Contract& contract, const Case& problem,
                                           std::string_view name) {
  std::vector<OperandLayout> all;
  for (const OperandFields& operand : operation_cases(contract).operands(contract, name)) {
    all.push_back(operand_layout(operand, problem));
  }
  return all;
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
