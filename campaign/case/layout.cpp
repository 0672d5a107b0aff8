#include "campaign/case/layout.hpp"

#include <algorithm>

#include "campaign/case/tensor_case.hpp"
#include "campaign/matrices/product.hpp"
#include "campaign/matrices/product_case.hpp"

namespace warpcheck::campaign {

using contract::Contract;

bool Layouts::any_packed() const {
  return a.packed || b.packed || c.packed || (d && d->packed) ||
         std::any_of(tensors.begin(), tensors.end(),
                     [](const Placement& tensor) { return tensor.packed; });
}

std::vector<const Placement*> Layouts::all() const {
  std::vector<const Placement*> places;
  for (const Operand operand : kOperands) {
    if (tensors.empty() && of(operand) != nullptr) places.push_back(of(operand));
  }
  for (const Placement& tensor : tensors) places.push_back(&tensor);
  return places;
}

const Placement* Layouts::of(Operand operand) const {
  switch (operand) {
    case Operand::a:
      return &a;
    case Operand::b:
      return &b;
    case Operand::c:
      return &c;
    case Operand::d:
      return d ? &*d : nullptr;
    case Operand::bias:
      return bias ? &*bias : nullptr;
  }
  return nullptr;
}

Layouts lay_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  return is_product(contract) ? product::lay_out(contract, problem, limit_bytes)
                              : tensor::lay_out(contract, problem, limit_bytes);
}

bool can_be_laid_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  try {
    (void)lay_out(contract, problem, limit_bytes);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool fits(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  try {
    return !lay_out(contract, problem, limit_bytes).any_packed();
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace warpcheck::campaign
