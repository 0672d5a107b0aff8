#include <algorithm>

#include "campaign/case/operation_cases.hpp"
#include "campaign/case/tensor_case.hpp"
#include "contract/contract_words.hpp"
#include "contract/expression/expression_node.hpp"
#include "operation/extent.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using contract::Contract;
using operation::Tensor;
using Kind = FieldKind;

bool takes(const Contract& contract, const std::string& name) {
  return std::any_of(contract.launches.begin(), contract.launches.end(), [&](const auto& step) {
    return std::any_of(step.arguments.begin(), step.arguments.end(), [&](const auto& argument) {
      return argument.word == contract::ArgumentWord::expression &&
             argument.value.root() != nullptr && has_name(*argument.value.root(), name);
    });
  });
}

/// Adds the strides of all dimensions, "stride_x_1" and "stride_x_0", if the kernel takes one of
/// them.
void add_numbered_strides(const Contract& contract, OperandFields& made) {
  constexpr std::size_t kMostPermuted = 4;  // 24 orders
  const std::size_t dimensions = made.shape.size();
  std::size_t taken = 0;  // the first ones, without a gap
  bool takes_any = false;
  for (std::size_t i = dimensions; i-- > 0;) {
    const std::string name = contract::stride_field(made.name, i);
    const bool is_taken = takes(contract, name);
    takes_any = takes_any || is_taken;
    taken = is_taken ? taken + 1 : 0;
    made.strides.push_back({name, name, Kind::leading_dimension, dimensions - 1 - i, is_taken});
  }
  if (!takes_any) return made.strides.clear();
  const bool is_any_order = taken + 1 >= dimensions && taken <= kMostPermuted;
  made.orders = {dimensions, is_any_order ? taken : 0};
}

/// Adds "stride_x" of rows and "batch_stride_x" of matrices, or those of all dimensions.
void add_strides(const Contract& contract, OperandFields& made) {
  add_numbered_strides(contract, made);
  if (!made.strides.empty()) return;
  const auto add = [&](const std::string& name, std::size_t within, Kind kind) {
    if (made.shape.size() <= within) return;
    made.strides.push_back({name, name, kind, within, takes(contract, name)});
  };
  add(contract::stride_field(made.name), 1, Kind::leading_dimension);
  add(contract::batch_stride_field(made.name), 2, Kind::batch_stride);
}

std::vector<OperandFields> operands(const Contract& contract, std::string_view name) {
  const contract::TypedOperation& typed = *contract.tensors;
  std::vector<OperandFields> all;
  all.reserve(typed.tensors.size());
  for (const Tensor& tensor : typed.tensors) {
    if (!name.empty() && name.find(tensor.name) == std::string_view::npos) continue;
    OperandFields& made = all.emplace_back();
    made.name = tensor.name;
    made.argument = tensor.name;
    made.type = typed.types.find(tensor.name)->second;
    made.shape = tensor.shape;
    made.offset = contract::offset_field(tensor.name);
    made.order = contract::order_field(tensor.name);
    if (!tensor.shape.empty()) made.size_field = tensor.shape.back();
    made.is_output = typed.is_output(tensor.name);
    add_strides(contract, made);
  }
  return all;
}

bool is_extent_of_output(const operation::Operation& operation, std::string_view name) {
  return std::any_of(operation.outputs.begin(), operation.outputs.end(), [&](const Tensor& output) {
    return std::any_of(output.shape.begin(), output.shape.end(), [&](const std::string& dimension) {
      return operation::depends_on(dimension, name);
    });
  });
}

/// Adds the fields of the order and of the strides that the kernel takes.
void add_stride_fields(const OperandFields& operand, std::vector<CaseField>& fields) {
  if (operand.orders.count() > 1) {
    CaseField& order = fields.emplace_back(LineField{operand.order, Kind::order}, true);
    order.orders = operand.orders;
    order.is_name = false;
  }
  std::vector<OperandFields::Stride> strides = operand.strides;
  if (operand.strides_each_dimension()) std::reverse(strides.begin(), strides.end());
  for (const OperandFields::Stride& stride : strides) {
    if (stride.is_taken) fields.emplace_back(LineField{stride.field, stride.kind}, true);
  }
}

std::vector<CaseField> fields(const Contract& contract,
                              const std::vector<OperandFields>& operands) {
  const operation::Operation& operation = contract.tensors->operation;
  std::vector<CaseField> fields;
  for (const std::string& name : operation.extents) {
    CaseField& extent = fields.emplace_back(LineField{name, Kind::extent}, true);
    extent.is_reduced = !is_extent_of_output(operation, name);
  }
  for (const OperandFields& operand : operands) add_stride_fields(operand, fields);
  for (const OperandFields& operand : operands) {
    if (is_updated(operation, operand.name)) continue;
    fields.emplace_back(LineField{operand.offset, Kind::offset}, true);
  }
  for (const std::string& name : operation.scalars) {
    CaseField& factor = fields.emplace_back(LineField{name, Kind::factor}, true);
    factor.exact_values = {1.0, 1.0, 0.5, 2.0, -1.0, 0.125, 1.7, -0.3};
    factor.rounded_values = factor.exact_values;
    factor.is_name = false;
  }
  return fields;
}

std::optional<LineField> named_field(const Contract& contract, std::string_view name) {
  const std::vector<std::string>& extents = contract.tensors->operation.extents;
  const bool is_extent = std::find(extents.begin(), extents.end(), name) != extents.end();
  return is_extent ? std::optional(LineField{name}) : std::nullopt;
}

}  // namespace

const OperationCases kCases = {operands, fields, describe, named_field, check_values};

}  // namespace warpcheck::campaign::tensor
