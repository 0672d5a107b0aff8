#include "workflows/diff/domain_intersection.hpp"

#include <fmt/format.h>

#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "workflows/diff/diff_model.hpp"

namespace warpcheck::workflows::diff {

using contract::Contract;

DomainIntersection::DomainIntersection(const Contract& one, const Contract& other)
    : types_{one, other, one, true, {}} {
  if (one.operation != other.operation) {
    refuse_comparison(one, other,
                      fmt::format("its operation is {}, not {}", other.operation, one.operation));
  }
  const auto& model = campaign::model_of<DiffModel>(one);
  const std::string difference = model.difference_of_definitions(one, other);
  if (!difference.empty()) refuse_comparison(one, other, difference);
  Contract& joint = types_.joint;
  for (contract::LaunchStep& step : joint.launches) {
    std::erase_if(step.arguments, [&](const contract::Argument& argument) {
      return !model.is_shared(one, other, argument);
    });
  }
  joint.requires_.insert(joint.requires_.end(), other.requires_.begin(), other.requires_.end());
  joint.reads_c_at_beta_zero = one.reads_c_at_beta_zero || other.reads_c_at_beta_zero;
  model.join_types(types_);
  std::vector<std::string>& remarks = types_.remarks;
  if (!types_.same_values) {
    remarks.push_back("replayed alone, a case draws its operands in the variant's own types");
  }
  for (const Contract* contract : {&one, &other}) {
    if (contract->deterministic) continue;
    remarks.push_back(fmt::format(
        "{} adds in any order: its bits may differ from one run to the next", contract->name));
  }
}

bool DomainIntersection::contains(const campaign::Case& problem) const {
  for (const Contract* contract : {&types_.one, &types_.other}) {
    if (!campaign::ignored_field(*contract, problem).empty()) return false;
    if (campaign::violated(*contract, normalized_for(*contract, problem))) return false;
  }
  return true;
}

campaign::run::Operands DomainIntersection::operands(const campaign::Case& problem) const {
  return campaign::run::operands(types_.joint, problem);
}

campaign::Case normalized_for(const Contract& contract, campaign::Case problem) {
  problem.variant = contract.name;
  return campaign::normalized(contract, std::move(problem));
}

}  // namespace warpcheck::workflows::diff
