#include "campaign/case/domain.hpp"

#include <cstdint>
#include <string_view>

#include "campaign/case/tensor_case.hpp"
#include "campaign/matrices/product.hpp"
#include "campaign/matrices/product_case.hpp"

namespace warpcheck::campaign {

contract::Bindings bindings(const contract::Contract& contract, const Case& problem) {
  if (is_product(contract)) {
    return {[&](std::string_view name) { return product::value_of(contract, problem, name); },
            [&](std::string_view name) { return product::address_of(contract, problem, name); }};
  }
  return {[&](std::string_view name) { return tensor::value_of(contract, problem, name); },
          [&](std::string_view name) { return tensor::address_of(contract, problem, name); }};
}

bool applies(const contract::Contract& contract, const contract::LaunchStep& step,
             const Case& problem) {
  return !step.when || step.when->evaluate(bindings(contract, problem)).value_or(0) != 0;
}

std::optional<std::string> violated(const contract::Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  for (const contract::Expression& requirement : contract.requires_) {
    if (requirement.evaluate(names).value_or(0) != 0) continue;  // makes no list of the conjuncts
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      if (conjunct.evaluate(names).value_or(0) == 0) return conjunct.text();
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign
