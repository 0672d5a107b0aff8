#include "campaign/case/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "campaign/case/operation_cases.hpp"
#include "operation/extent.hpp"

namespace warpcheck::campaign {
namespace {

/// Returns the dimensions in the order of memory, as texts of expressions.
std::vector<std::string> dimensions_in_memory(const OperandFields& operand) {
  std::vector<std::string> texts;
  for (const std::string& extent : operand.shape) texts.push_back(dimension_text(extent));
  if (texts.empty()) texts.emplace_back("1");
  if (!operand.layout) return texts;
  std::string& lines = texts[texts.size() - 2];
  std::string& line = texts.back();
  if (*operand.layout == contract::Layout::column) std::swap(lines, line);
  if (operand.transposition.empty()) return texts;
  const auto either = [&](const std::string& usual, const std::string& exchanged) {
    return fmt::format("(1 - {0}) * {1} + {0} * {2}", operand.transposition, usual, exchanged);
  };
  std::tie(lines, line) = std::pair(either(lines, line), either(line, lines));
  return texts;
}

OperandShape shape_of(const contract::Contract& contract, const CaseSchema& schema,
                      const OperandFields& operand) {
  OperandShape shape;
  shape.name = operand.name;
  shape.argument = operand.argument;
  shape.type = operand.type;
  shape.shape = operand.shape;
  for (const std::string& text : dimensions_in_memory(operand)) {
    shape.dimensions.push_back(contract::Expression::parse(text, contract.where));
  }
  for (const OperandFields::Stride& stride : operand.strides) {
    const auto field = stride.is_taken ? schema.find(stride.field) : std::nullopt;
    shape.strides.push_back({stride.name, stride.within, field});
  }
  shape.order_field = schema.find(operand.order);
  shape.offset_field = schema.find(operand.offset);
  if (operand.layout) shape.layout = *operand.layout == contract::Layout::row ? "row" : "col";
  shape.is_taken = operand.is_taken;
  shape.is_output = operand.is_output;
  return shape;
}

}  // namespace

std::string dimension_text(const std::string& extent) {
  return operation::is_compound(extent) ? fmt::format("max({}, 0)", extent) : extent;
}

bool OperandShape::takes_stride() const {
  return std::any_of(strides.begin(), strides.end(),
                     [](const Stride& stride) { return stride.field.has_value(); });
}

double CaseField::number(const Case& problem) const {
  const double value = problem.value(name).value_or(default_number);
  if (orders.count() == 1) return value;
  return static_cast<double>(orders.number_of(value).value_or(0));
}

void CaseField::set_number(Case& problem, double value) const {
  if (value == default_number && !is_always_stated(kind)) {
    std::erase_if(problem.values, [&](const NamedValue& one) { return one.name == name; });
  } else {
    const bool is_order = orders.count() > 1;
    problem.set_value(name, is_order ? orders.digits(std::llround(value)) : value);
  }
}

std::int64_t CaseField::get(const Case& problem) const {
  constexpr double kMost = 0x1p62;
  return std::llround(std::clamp(number(problem), -kMost, kMost));
}

std::optional<std::size_t> CaseSchema::find(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const CaseField& field) { return field.name == name; });
  if (found == fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields.begin());
}

std::vector<std::size_t> CaseSchema::fields_of_kind(CaseField::Kind kind) const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].kind == kind) numbers.push_back(i);
  }
  return numbers;
}

const OperandShape* CaseSchema::operand(std::string_view name) const {
  const auto found = std::find_if(operands.begin(), operands.end(),
                                  [&](const OperandShape& one) { return one.name == name; });
  return found == operands.end() ? nullptr : &*found;
}

std::vector<std::size_t> CaseSchema::from_within(const Case& problem) const {
  std::vector<std::size_t> numbers(fields.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const OperandShape& operand : operands) {
    if (!operand.order_field) continue;
    const CaseField& order = fields[*operand.order_field];
    std::vector<std::size_t> strides;  // their fields, the innermost first
    const std::vector<std::size_t> dimensions = order.orders.order(order.get(problem));
    for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
      const auto& field = operand.strides[operand.dimensions.size() - 1 - *dimension].field;
      if (field) strides.push_back(*field);
    }
    std::vector<std::size_t> places = strides;
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < places.size(); ++i) numbers[places[i]] = strides[i];
  }
  return numbers;
}

void CaseSchema::set_extents(Case& problem, std::int64_t size) const {
  for (const CaseField& field : fields) {
    if (field.kind == CaseField::Kind::extent) field.set(problem, size);
  }
}

CaseSchema case_schema(const contract::Contract& contract) {
  const OperationCases& operation = operation_cases(contract);
  const std::vector<OperandFields> operands = operation.operands(contract, {});
  CaseSchema schema;
  schema.fields = operation.fields(contract, operands);
  for (const OperandFields& operand : operands) {
    schema.operands.push_back(shape_of(contract, schema, operand));
  }
  operation.describe(contract, schema);
  return schema;
}

std::vector<CaseField> case_fields(const contract::Contract& contract) {
  const OperationCases& operation = operation_cases(contract);
  return operation.fields(contract, operation.operands(contract, {}));
}

std::vector<CaseField> stated_fields(const Case& problem) {
  std::vector<CaseField> fields;
  for (const LineField& field : line_fields(problem)) fields.emplace_back(field, true);
  return fields;
}

bool states_stride(const Case& problem) {
  const std::vector<LineField> fields = line_fields(problem);
  return std::any_of(fields.begin(), fields.end(), [&](const LineField& field) {
    return is_stride(field.kind) && problem.value(field.name).value_or(0.0) != 0.0;
  });
}

bool lacks_terms(const Case& problem) {
  const std::vector<LineField> fields = line_fields(problem);
  return std::any_of(fields.begin(), fields.end(), [&](const LineField& field) {
    return field.kind == FieldKind::extent && problem.number(field.name) == 0.0;
  });
}

}  // namespace warpcheck::campaign
