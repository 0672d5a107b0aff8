#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "campaign/case/structures.hpp"
#include "campaign/case/tensor_case.hpp"
#include "contract/contract_words.hpp"
#include "operation/extent.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using contract::Contract;
using contract::Expression;
using operation::Tensor;
using Kind = CaseField::Kind;

/// A dimension that is a difference is 0 rather than negative.
std::string dimension_text(const std::string& dimension) {
  return operation::is_compound(dimension) ? fmt::format("max({}, 0)", dimension) : dimension;
}

std::string elements_text(const std::vector<std::string>& shape, std::string_view least = "") {
  std::string text = "1";
  for (const std::string& dimension : shape) {
    const std::string size = dimension_text(dimension);
    text += least.empty() ? fmt::format(" * {}", size) : fmt::format(" * max({}, {})", size, least);
  }
  return text;
}

/// The product of the extents of an index list, and in it the sum of the reductions below.
std::string work_text(const operation::Node& node) {
  std::int64_t own = node.op == operation::Op::reduce ? 0 : 1;
  std::string inner;
  for (const operation::Node& operand : node.operands) {
    const std::string text = work_text(operand);
    if (text.find_first_not_of("0123456789") == std::string::npos) {
      own += std::stoll(text);
    } else {
      inner += text + " + ";
    }
  }
  const std::string sum = fmt::format("{}{}", inner, own);
  if (node.op != operation::Op::reduce) return sum;
  return fmt::format("{} * ({})", elements_text(node.extents), sum);
}

/// A step takes as long as so many multiply-adds of a product. See tensor::work().
constexpr int kPerStep = 8;
std::string work_text(const operation::Operation& operation) {
  if (operation.statements.empty())
    return fmt::format("16 * {} * {}", kPerStep, elements_text(operation.extents, "1"));
  std::vector<std::string> parts;
  for (const operation::Statement& statement : operation.statements) {
    parts.push_back(fmt::format("{} * ({})", elements_text(statement.tensor.shape),
                                work_text(statement.value)));
  }
  return fmt::format("{} * ({})", kPerStep, fmt::join(parts, " + "));
}

std::string limit_text(const operation::Limit& limit) {
  const auto number = static_cast<std::int64_t>(limit.number);
  return limit.extent.empty() ? fmt::format("({})", number)
                              : fmt::format("({} + ({}))", dimension_text(limit.extent), number);
}

/// Integers with a range need an integer in it, and as many as differ from one another.
void add_range_rules(const Contract& contract, const Tensor& tensor, CaseSchema& schema) {
  if (!tensor.range || !tensor.integer) return;
  const auto add = [&](const std::string& condition, std::string text) {
    schema.rules.push_back({Expression::parse(condition, contract.where), std::move(text)});
  };
  const std::string low = limit_text(tensor.range->first);
  const std::string high = limit_text(tensor.range->second);
  add(fmt::format("{} <= {}", low, high),
      fmt::format("an integer lies in the range of {}", tensor.name));
  if (tensor.distinct == operation::Distinct::none) return;
  std::vector<std::string> differing = tensor.shape;
  if (tensor.distinct == operation::Distinct::in_rows && !differing.empty()) {
    differing = {tensor.shape.back()};
  }
  add(fmt::format("{} <= {} - {} + 1", elements_text(differing), high, low),
      fmt::format("the distinct elements of {} are at most as many as the integers of its range",
                  tensor.name));
}

bool is_extent_of_output(const operation::Operation& operation, std::string_view name) {
  return std::any_of(operation.outputs.begin(), operation.outputs.end(), [&](const Tensor& output) {
    return std::any_of(output.shape.begin(), output.shape.end(), [&](const std::string& dimension) {
      return operation::depends_on(dimension, name);
    });
  });
}

OperandShape shape_of(const Contract& contract, const CaseSchema& schema, const Tensor& tensor) {
  OperandShape shape;
  shape.name = tensor.name;
  shape.argument = tensor.name;
  shape.shape = tensor.shape;
  shape.type = contract.tensors->types.find(tensor.name)->second;
  for (const std::string& dimension : tensor.shape) {
    shape.dimensions.push_back(Expression::parse(dimension_text(dimension), contract.where));
  }
  if (shape.dimensions.empty()) shape.dimensions.push_back(Expression::constant(1));
  for (const StrideNames::One& one : stride_names(contract, tensor).strides) {
    shape.strides.push_back({one.name, one.within, schema.find(one.name)});
  }
  shape.order_field = schema.find(contract::order_field(tensor.name));
  shape.offset_field = schema.find(contract::offset_field(tensor.name));
  shape.is_output = contract.tensors->is_output(tensor.name);
  return shape;
}

std::string name_of_outputs(const operation::Operation& operation) {
  std::vector<std::string_view> names;
  for (const Tensor& output : operation.outputs) names.push_back(output.name);
  if (names.size() == 1) return std::string(names.front());
  return fmt::format("the result ({})", fmt::join(names, ", "));
}

}  // namespace

std::vector<CaseField> fields(const Contract& contract) {
  const contract::TypedOperation& typed = *contract.tensors;
  std::vector<CaseField> fields;
  for (const std::string& name : typed.operation.extents) {
    fields.push_back({{name, Kind::extent}, true});
    fields.back().is_reduced = !is_extent_of_output(typed.operation, name);
  }
  for (const Tensor& tensor : typed.tensors) {
    StrideNames names = stride_names(contract, tensor);
    if (names.orders.count() > 1) fields.push_back(order_field(names, tensor));
    if (names.numbered) std::reverse(names.strides.begin(), names.strides.end());
    for (const StrideNames::One& one : names.strides) {
      if (one.is_taken) fields.push_back({{one.name, one.kind}, true});
    }
  }
  for (const Tensor& tensor : typed.tensors) {
    if (is_updated(typed.operation, tensor.name)) continue;
    const std::string name = contract::offset_field(tensor.name);
    fields.push_back({{name, Kind::offset}, true});
  }
  for (const std::string& name : typed.operation.scalars) {
    CaseField& factor = fields.emplace_back(LineField{name, Kind::factor}, true);
    factor.exact_values = {1.0, 1.0, 0.5, 2.0, -1.0, 0.125, 1.7, -0.3};
    factor.rounded_values = factor.exact_values;
    factor.is_name = false;
  }
  return fields;
}

CaseSchema schema(const Contract& contract) {
  const contract::TypedOperation& typed = *contract.tensors;
  CaseSchema schema;
  schema.fields = tensor::fields(contract);
  std::vector<std::string> elements;
  for (const Tensor& tensor : typed.tensors) {
    schema.operands.push_back(shape_of(contract, schema, tensor));
    add_range_rules(contract, tensor, schema);
    elements.push_back(elements_text(tensor.shape));
  }
  schema.elements = Expression::parse(fmt::to_string(fmt::join(elements, " + ")), contract.where);
  const auto is_integer = [](const Tensor& tensor) { return tensor.integer; };
  schema.has_positions =
      std::any_of(typed.operation.outputs.begin(), typed.operation.outputs.end(), is_integer);
  schema.reads_integers =
      std::any_of(typed.operation.inputs.begin(), typed.operation.inputs.end(), is_integer);
  schema.recipes = {Recipe::normal, Recipe::lattice, Recipe::wide, Recipe::special};
  schema.name_of_outputs = name_of_outputs(typed.operation);
  // Operations with integers mask elements, or select them: others may not matter.
  schema.usual_recipes = {Recipe::normal, Recipe::normal,  Recipe::normal, Recipe::lattice,
                          Recipe::wide,   Recipe::lattice, Recipe::special};
  schema.usual_recipes.push_back(schema.reads_integers ? Recipe::special : Recipe::normal);
  schema.structures = tensor::structures(contract);
  schema.bounds_any_order = true;
  schema.may_lack_values = true;
  schema.decisive_sensitivity = 0.01;  // a maximum hardly depends on a single element of its input
  schema.counted_operands = "all tensors";
  schema.default_workspace_bytes = Expression::constant(0);
  schema.work = Expression::parse(work_text(typed.operation), contract.where);
  return schema;
}

}  // namespace warpcheck::campaign::tensor
