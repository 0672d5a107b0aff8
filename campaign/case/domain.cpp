#include "campaign/case/domain.hpp"

#include <cstdint>
#include <string_view>

#include "campaign/case/case_model.hpp"

namespace warpcheck::campaign {

contract::Bindings bindings(const contract::Contract& contract, const Case& problem) {
  const CaseModel& model = model_of<CaseModel>(contract);
  return {[&](std::string_view name) { return model.value_of(contract, problem, name); },
          [&](std::string_view buffer) { return model.address_of(contract, problem, buffer); }};
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
