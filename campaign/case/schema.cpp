#include "campaign/case/schema.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "campaign/case/product.hpp"
#include "campaign/case/tensor_case.hpp"

namespace warpcheck::campaign {

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
  return is_product(contract) ? schema_of_product(contract) : tensor::schema(contract);
}

std::vector<CaseField> case_fields(const contract::Contract& contract) {
  return is_product(contract) ? fields_of_product(contract) : tensor::fields(contract);
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
