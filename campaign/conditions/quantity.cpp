#include "campaign/conditions/quantity.hpp"

#include "campaign/case/operand.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/conditions/quantity_model.hpp"

namespace warpcheck::campaign::conditions {
namespace {

using contract::Contract;
using Of = Quantity::Kind;

const StrideField& stride_of(const std::array<StrideField, 6>& strides, const Quantity& quantity) {
  std::size_t i = 0;
  while (strides.at(i).field != quantity.integer) ++i;
  return strides[i];
}

}  // namespace

std::vector<Quantity> quantities(const Contract& contract) {
  return model_of<QuantityModel>(contract).of_contract(contract);
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

}  // namespace warpcheck::campaign::conditions
