#include "properties/conditions/quantity.hpp"

#include <map>
#include <utility>

#include "base/scalar_type.hpp"
#include "contract/contract_words.hpp"
#include "properties/case/operand.hpp"
#include "properties/case/tensor_case.hpp"

namespace warpcheck::properties::conditions {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using Of = Quantity::Kind;

Quantity integer(Of kind, std::string_view name, std::int64_t Case::*member) {
  Quantity quantity;
  quantity.kind = kind;
  quantity.name = name;
  quantity.integer = member;
  return quantity;
}

void add_offset(const Contract& contract, Operand operand, std::vector<Quantity>& all) {
  const OperandFields& of = fields(operand);
  if (!contract.takes(of.address)) return;
  Quantity offset = integer(Of::offset, contract::name(of.address), of.offset);
  offset.element_bytes = static_cast<std::int64_t>(size_of(contract.*of.type));
  for (const Quantity& other : all) {
    if (other.integer == offset.integer) return;  // D's offset is that of C
  }
  all.push_back(offset);
}

Quantity named(Of kind, std::string_view name, std::string field) {
  Quantity quantity;
  quantity.kind = kind;
  quantity.name = name;
  quantity.is_named = true;
  quantity.field = std::move(field);
  return quantity;
}

/// Scalars are no names of `requires`.
std::vector<Quantity> quantities_of_tensors(const Contract& contract) {
  const contract::TypedOperation& typed = *contract.tensors;
  std::vector<Quantity> all;
  for (const std::string& extent : typed.operation.extents) {
    all.push_back(named(Of::extent, extent, extent));
  }
  for (const operation::Tensor& tensor : typed.tensors) {
    for (const std::string& stride : tensor::strides_taken(contract, tensor)) {
      all.push_back(named(Of::stride, stride, stride));
    }
  }
  for (const operation::Tensor& tensor : typed.tensors) {
    Quantity offset = named(Of::offset, tensor.name, contract::offset_field(tensor.name));
    offset.element_bytes =
        static_cast<std::int64_t>(size_of(typed.types.find(tensor.name)->second));
    all.push_back(std::move(offset));
  }
  return all;
}

const StrideField& stride_of(const std::array<StrideField, 6>& strides, const Quantity& quantity) {
  std::size_t i = 0;
  while (strides.at(i).field != quantity.integer) ++i;
  return strides[i];
}

}  // namespace

std::vector<Quantity> case_quantities() {
  std::vector<Quantity> all = {
      integer(Of::extent, "m", &Case::m), integer(Of::extent, "n", &Case::n),
      integer(Of::extent, "k", &Case::k), integer(Of::batch, "batch", &Case::batch)};
  all.push_back({Of::flag, "ta", nullptr, &Case::ta, nullptr, 1});
  all.push_back({Of::flag, "tb", nullptr, &Case::tb, nullptr, 1});
  all.push_back({Of::factor, "alpha", nullptr, nullptr, &Case::alpha, 1});
  all.push_back({Of::factor, "beta", nullptr, nullptr, &Case::beta, 1});
  for (const Operand matrix : {Operand::a, Operand::b, Operand::c}) {
    const OperandFields& of = fields(matrix);
    for (const StrideField& stride : {of.leading_dimension, of.batch_stride}) {
      all.push_back(integer(Of::padding, stride.name, stride.field));
    }
  }
  all.push_back(integer(Of::base_offset, "off_a", &Case::off_a));
  all.push_back(integer(Of::base_offset, "off_b", &Case::off_b));
  all.push_back(integer(Of::base_offset, "off_c", &Case::off_c));
  return all;
}

std::vector<Quantity> named_quantities(const std::vector<Case>& cases) {
  std::map<std::string, std::size_t> counts;
  for (const Case& problem : cases) {
    for (const NamedValue& field : problem.values) ++counts[field.name];
  }
  std::vector<Quantity> all;
  for (const auto& [name, count] : counts) {
    Quantity quantity;
    // Fields with their default are left out of a case: only extents and scalars are in each.
    quantity.kind = count == cases.size() ? Of::extent : Of::base_offset;
    quantity.name = name;
    quantity.is_named = true;
    quantity.field = name;
    all.push_back(std::move(quantity));
  }
  return all;
}

std::vector<Quantity> quantities(const Contract& contract) {
  if (contract.tensors != nullptr) return quantities_of_tensors(contract);
  std::vector<Quantity> all = {integer(Of::extent, "m", &Case::m),
                               integer(Of::extent, "n", &Case::n),
                               integer(Of::extent, "k", &Case::k)};
  for (const StrideField& stride : stride_fields(contract)) {
    if (!stride.taken_by(contract)) continue;
    all.push_back(integer(Of::stride, contract::name(stride.word), stride.field));
  }
  for (const Operand operand : {Operand::a, Operand::b, Operand::c, Operand::d, Operand::bias}) {
    add_offset(contract, operand, all);
  }
  if (contract.takes(ArgumentWord::batch)) {
    all.push_back(integer(Of::batch, "batch", &Case::batch));
  }
  const auto add_if_taken = [&](ArgumentWord word, Of kind, auto field, auto member) {
    if (!contract.takes(word)) return;
    Quantity quantity;
    quantity.kind = kind;
    quantity.name = contract::name(word);
    quantity.*field = member;
    all.push_back(quantity);
  };
  add_if_taken(ArgumentWord::ta, Of::flag, &Quantity::flag, &Case::ta);
  add_if_taken(ArgumentWord::tb, Of::flag, &Quantity::flag, &Case::tb);
  add_if_taken(ArgumentWord::alpha, Of::factor, &Quantity::factor, &Case::alpha);
  add_if_taken(ArgumentWord::beta, Of::factor, &Quantity::factor, &Case::beta);
  return all;
}

double value_of(const Contract& contract, const Case& problem, const Quantity& quantity) {
  if (quantity.kind == Of::stride && quantity.is_named) {
    return static_cast<double>(tensor::value_of(contract, problem, quantity.name).value_or(0));
  }
  if (quantity.kind == Of::stride) {
    const auto strides = stride_fields(contract);
    return static_cast<double>(stride_of(strides, quantity).effective(contract, problem));
  }
  return value_of(problem, quantity);
}

double value_of(const Case& problem, const Quantity& quantity) {
  if (quantity.is_named) return problem.value(quantity.field).value_or(0.0);
  if (quantity.kind == Of::padding) return problem.*quantity.integer != 0 ? 1.0 : 0.0;
  if (quantity.integer != nullptr) return static_cast<double>(problem.*quantity.integer);
  if (quantity.flag != nullptr) return problem.*quantity.flag ? 1.0 : 0.0;
  return problem.*quantity.factor;
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
  if (quantity.is_named) {
    problem.set_value(quantity.field, value);
  } else if (quantity.integer != nullptr) {
    problem.*quantity.integer = static_cast<std::int64_t>(value);
  } else if (quantity.flag != nullptr) {
    problem.*quantity.flag = value != 0.0;
  } else {
    problem.*quantity.factor = value;
  }
}

std::int64_t least_value(const Contract& contract, const Case& problem, const Quantity& quantity) {
  if (quantity.kind == Of::batch) return 1;
  if (quantity.kind != Of::stride) return quantity.is_named && quantity.kind == Of::extent ? 1 : 0;
  if (quantity.is_named) return tensor::tight_value(contract, problem, quantity.name);
  const auto strides = stride_fields(contract);
  return stride_of(strides, quantity).tight(contract, problem);
}

}  // namespace warpcheck::properties::conditions
