#include "properties/campaign/run_case.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck::properties::campaign {
namespace {

/// False where the property's conditions cannot be met in the contract's domain.
bool pose(const RunContext& bench, const checks::Property& property, CaseResult& result) {
  const auto problem =
      checks::adapted_to_domain(property, bench.variant.contract, result.drawn.problem);
  if (!problem) return false;
  const checks::PropertyResult answer = ask(bench, property, *problem, false);
  result.asked = true;
  // One-hot operands show which elements are read, and few of the terms.
  result.shows_terms = result.shows_terms ||
                       (problem->k > 0 && problem->alpha != 0.0 && problem->data != Recipe::onehot);
  if (answer.sensitivity)
    result.sensitivity = std::min(result.sensitivity.value_or(1.0), *answer.sensitivity);
  if (answer.error_over_bound) {
    result.error_over_bound =
        std::max(result.error_over_bound.value_or(0.0), *answer.error_over_bound);
  }
  for (const run::Evidence& evidence : answer.evidence) {
    if (!result.found) result.found = evidence.finding.kind;
    result.suspects.push_back({*problem, &property, evidence, result.suspects.size()});
  }
  for (const run::Evidence& note : answer.notes) {
    result.notes.push_back({*problem, &property, note, result.notes.size()});
  }
  return true;
}

}  // namespace

PropertyRotation::PropertyRotation(const std::vector<std::string>& names,
                                   const contract::Contract& contract) {
  std::vector<const checks::Property*> chosen;
  for (const std::string& name : names) chosen.push_back(&checks::property(name));
  if (names.empty()) {
    for (const checks::Property& entry : checks::properties()) chosen.push_back(&entry);
  }
  for (const checks::Property* entry : chosen) {
    if (entry == &checks::properties().front()) {
      base_ = entry;
    } else if (entry->applies(contract)) {
      others_.push_back(entry);
    }
  }
}

std::vector<const checks::Property*> PropertyRotation::others(std::int64_t index) const {
  if (others_.empty() || (base_ != nullptr && index % 2 == 0)) return {};
  const auto turn = static_cast<std::size_t>(base_ != nullptr ? index / 2 : index);
  std::vector<const checks::Property*> order(others_);
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(turn % order.size()),
              order.end());
  return order;
}

CaseResult run_case(const RunContext& bench, const PropertyRotation& agenda,
                    generate::GeneratedCase drawn, std::int64_t index) {
  CaseResult result;
  result.drawn = std::move(drawn);
  if (agenda.base() != nullptr) pose(bench, *agenda.base(), result);
  if (!result.suspects.empty()) return result;  // more would be its consequence
  for (const checks::Property* other : agenda.others(index)) {
    if (pose(bench, *other, result)) break;
  }
  return result;
}

CaseResult run_regression(const RunContext& bench, const Case& regression) {
  CaseResult result;
  result.drawn.problem = regression;
  pose(bench, checks::property(regression.property), result);
  return result;
}

}  // namespace warpcheck::properties::campaign
