#include "campaign/conditions/quantity.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/scalar_type.hpp"
#include "campaign/case/domain.hpp"

namespace warpcheck::campaign::conditions {
namespace {

using contract::Contract;
using FieldKind = CaseField::Kind;
using Of = Quantity::Kind;

/// The kinds of fields in the order of their quantities. Both kinds of strides are one.
constexpr std::array kOrder = {FieldKind::extent, FieldKind::leading_dimension, FieldKind::offset,
                               FieldKind::batch,  FieldKind::transposition,     FieldKind::factor};

Of quantity_kind(FieldKind kind) {
  switch (kind) {
    case FieldKind::extent:
      return Of::extent;
    case FieldKind::leading_dimension:
    case FieldKind::batch_stride:
      return Of::stride;
    case FieldKind::batch:
      return Of::batch;
    case FieldKind::offset:
      return Of::offset;
    case FieldKind::transposition:
    case FieldKind::order:
      return Of::flag;
    case FieldKind::factor:
      break;
  }
  return Of::factor;
}

std::vector<CaseField> in_order(const std::vector<CaseField>& fields) {
  std::vector<CaseField> ordered;
  for (const FieldKind kind : kOrder) {
    for (const CaseField& field : fields) {
      if (quantity_kind(field.kind) == quantity_kind(kind)) ordered.push_back(field);
    }
  }
  return ordered;
}

/// Names a stride or an offset as expressions of the contract do, by the first operand of the
/// kernel that has it. Returns false if there is none.
bool name_by_operand(const CaseSchema& schema, Quantity& quantity) {
  const auto number = schema.find(quantity.field.name);
  for (const OperandShape& operand : schema.operands) {
    if (!operand.is_taken) continue;
    if (quantity.kind == Of::offset && operand.offset_field == number) {
      quantity.name = operand.argument;
      quantity.element_bytes = static_cast<std::int64_t>(size_of(operand.type));
      return true;
    }
    for (const OperandShape::Stride& stride : operand.strides) {
      if (quantity.kind != Of::stride || stride.field != number) continue;
      quantity.name = stride.name;
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Quantity> quantities(const Contract& contract) {
  const CaseSchema schema = case_schema(contract);
  std::vector<Quantity> all;
  for (CaseField& field : in_order(schema.fields)) {
    if (!field.is_taken || !field.is_name) continue;
    Quantity quantity{quantity_kind(field.kind), field.name, std::move(field)};
    const bool is_of_operand = quantity.kind == Of::stride || quantity.kind == Of::offset;
    if (!is_of_operand || name_by_operand(schema, quantity)) all.push_back(std::move(quantity));
  }
  return all;
}

std::vector<Quantity> quantities_of_cases(const std::vector<Case>& cases) {
  std::vector<CaseField> fields;
  for (const Case& problem : cases) {
    for (CaseField& field : stated_fields(problem)) {
      const bool is_known = std::any_of(fields.begin(), fields.end(), [&](const CaseField& other) {
        return other.name == field.name;
      });
      if (!is_known) fields.push_back(std::move(field));
    }
  }
  std::vector<Quantity> all;
  for (CaseField& field : in_order(fields)) {
    Of kind = quantity_kind(field.kind);
    if (kind == Of::stride) kind = Of::padding;
    if (kind == Of::offset) kind = Of::base_offset;
    all.push_back({kind, field.name, std::move(field)});
  }
  return all;
}

double value_of(const Contract& contract, const Case& problem, const Quantity& quantity) {
  if (quantity.kind != Of::stride) return value_of(problem, quantity);
  return static_cast<double>(bindings(contract, problem).value(quantity.name).value_or(0));
}

double value_of(const Case& problem, const Quantity& quantity) {
  const double value = quantity.field.number(problem);
  return quantity.kind == Of::padding ? (value != 0.0 ? 1.0 : 0.0) : value;
}

std::vector<double> values_of(const Contract& contract, const Case& problem,
                              const std::vector<Quantity>& quantities) {
  std::vector<double> values;
  values.reserve(quantities.size());
  for (const Quantity& quantity : quantities) {
    values.push_back(value_of(contract, problem, quantity));
  }
  return values;
}

void set_value(Case& problem, const Quantity& quantity, double value) {
  quantity.field.set_number(problem, value);
}

std::int64_t least_value(const Contract& contract, const Case& problem, const Quantity& quantity) {
  if (quantity.kind == Of::stride) return tight_stride(contract, problem, quantity.field.name);
  if (quantity.kind == Of::extent) return quantity.field.has_zero ? 0 : 1;
  return quantity.kind == Of::batch ? 1 : 0;
}

}  // namespace warpcheck::campaign::conditions
