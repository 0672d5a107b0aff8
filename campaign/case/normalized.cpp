#include "campaign/case/normalized.hpp"

#include <utility>

#include "campaign/case/case_model.hpp"

namespace warpcheck::campaign {

Case normalized(const contract::Contract& contract, Case problem) {
  return model_of<CaseModel>(contract).normalized(contract, std::move(problem));
}

std::string ignored_field(const contract::Contract& contract, const Case& problem) {
  return model_of<CaseModel>(contract).ignored_field(contract, problem);
}

}  // namespace warpcheck::campaign
