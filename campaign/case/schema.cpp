#include "campaign/case/schema.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "campaign/case/product.hpp"
#include "campaign/case/tensor_case.hpp"

namespace warpcheck::campaign {

bool OperandShape::takes_stride() const {
  return std::any_of(strides.begin(), strides.end(),
                     [](const Stride& stride) { return stride.field.has_value(); });
}

double CaseField::number(const Case& problem) const {
  return std::visit(
      [&](auto member) -> double {
        if constexpr (std::is_same_v<decltype(member), std::monostate>) {
          const double value = problem.value(name).value_or(default_number());
          if (orders.count() == 1) return value;
          return static_cast<double>(orders.number_of(value).value_or(0));
        } else {
          return static_cast<double>(problem.*member);
        }
      },
      member_);
}

void CaseField::set_number(Case& problem, double value) const {
  std::visit(
      [&](auto member) {
        if constexpr (!std::is_same_v<decltype(member), std::monostate>) {
          problem.*member = static_cast<std::remove_reference_t<decltype(problem.*member)>>(value);
        } else if ((is_stride() || kind == Kind::order) && value == 0.0) {
          std::erase_if(problem.values, [&](const NamedValue& one) { return one.name == name; });
        } else {
          const bool is_order = orders.count() > 1;
          problem.set_value(name, is_order ? orders.digits(std::llround(value)) : value);
        }
      },
      member_);
}

std::int64_t CaseField::get(const Case& problem) const {
  constexpr double kMost = 0x1p62;
  if (const auto* const member = std::get_if<std::int64_t Case::*>(&member_)) {
    return problem.**member;  // need not be a double
  }
  return std::llround(std::clamp(number(problem), -kMost, kMost));
}

bool CaseField::is_stated(const Case& problem) const {
  return is_member() || problem.value(name).has_value();
}

double CaseField::default_number() const {
  static const Case kDefaults;
  if (is_member()) return number(kDefaults);
  return kind == Kind::extent || kind == Kind::factor ? 1.0 : 0.0;
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
  if (is_product(problem)) return fields_of_product();
  using Kind = CaseField::Kind;
  const auto kind_of = [](std::string_view field) {
    if (field.starts_with("batch_stride_")) return Kind::batch_stride;
    if (field.starts_with("stride_")) return Kind::leading_dimension;
    if (field.starts_with("order_")) return Kind::order;
    return field.starts_with("off_") ? Kind::offset : Kind::extent;
  };
  std::vector<CaseField> fields;
  for (const NamedValue& field : problem.values) {
    fields.emplace_back(field.name, kind_of(field.name), true);
  }
  return fields;
}

bool states_stride(const Case& problem) {
  const auto is_stated = [&](const CaseField& field) {
    return field.is_stride() && field.get(problem) != 0;
  };
  if (!is_product(problem)) {
    const std::vector<CaseField> fields = stated_fields(problem);
    return std::any_of(fields.begin(), fields.end(), is_stated);
  }
  return std::any_of(fields_of_product().begin(), fields_of_product().end(), is_stated);
}

bool lacks_terms(const Case& problem) {
  const std::vector<CaseField> fields = stated_fields(problem);
  return std::any_of(fields.begin(), fields.end(), [&](const CaseField& field) {
    return field.kind == CaseField::Kind::extent && field.number(problem) == 0.0;
  });
}

bool has_no_output(const contract::Contract& contract, const Case& problem) {
  return is_product(contract) ? launches_nothing(problem)
                              : tensor::has_no_output(contract, problem);
}

}  // namespace warpcheck::campaign
