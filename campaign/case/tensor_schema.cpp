#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "campaign/case/structures.hpp"
#include "campaign/case/tensor_case.hpp"
#include "operation/extent.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using contract::Contract;
using contract::Expression;
using operation::Tensor;

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

/// The steps of computing all outputs: elements times the lengths of the reductions in them.
/// Without a definition, they are those of a loop over each extent. A step takes as long as so many
/// multiply-adds of a product.
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

std::string name_of_outputs(const operation::Operation& operation) {
  std::vector<std::string_view> names;
  for (const Tensor& output : operation.outputs) names.push_back(output.name);
  if (names.size() == 1) return std::string(names.front());
  return fmt::format("the result ({})", fmt::join(names, ", "));
}

}  // namespace

void describe(const Contract& contract, CaseSchema& schema) {
  const contract::TypedOperation& typed = *contract.tensors;
  std::vector<std::string> elements;
  for (const Tensor& tensor : typed.tensors) {
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
  const std::string work = work_text(typed.operation);
  schema.work = Expression::parse(work, contract.where);
  // A function such as exp takes about 20 instructions, a step of a loop 8. A simple kernel also
  // computes intermediate tensors again for each element that reads them.
  schema.most_instructions =
      Expression::parse(fmt::format("8388608 + 128 * {}", work), contract.where);
}

}  // namespace warpcheck::campaign::tensor
