#include "campaign/run_case.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "campaign/checks/reference.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::size_t kReferenceBytes = std::size_t{64} << 20;  // references of one case

/// Checks one property and adds the outcome to `result`. Returns false if the case cannot meet the
/// property's conditions inside the contract's domain.
bool check_if_applicable(const RunContext& context, const properties::Law& property,
                         CaseResult& result) {
  const auto problem =
      properties::adapted_to_domain(property, context.variant.contract, result.generated.problem);
  if (!problem) return false;
  const auto start = std::chrono::steady_clock::now();
  const campaign::checks::CheckResult property_result =
      check_property(context, property, *problem, true);
  if (property_result.launched && !property_result.unsupported) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    add(result.checked, {std::string(property.name), 1, taken.count()});
  }
  result.was_run = true;
  const contract::Contract& contract = context.variant.contract;
  result.shows_terms = result.shows_terms || campaign::checks::shows_terms(contract, *problem);
  if (property_result.sensitivity)
    result.sensitivity = std::min(result.sensitivity.value_or(1.0), *property_result.sensitivity);
  if (property_result.error_over_bound) {
    result.error_over_bound =
        std::max(result.error_over_bound.value_or(0.0), *property_result.error_over_bound);
  }
  for (const run::Evidence& evidence : property_result.evidence) {
    if (!result.found) result.found = evidence.finding.kind;
    result.failures.push_back({*problem, &property, evidence, result.failures.size()});
  }
  if (property_result.unsupported && !result.unsupported) {
    result.unsupported = UnsupportedForm{*property_result.unsupported, *problem};
  }
  for (const run::Evidence& note : property_result.notes) {
    result.notes.push_back({*problem, &property, note, result.notes.size()});
  }
  return true;
}

}  // namespace

PropertyRotation::PropertyRotation(const std::vector<std::string>& names,
                                   const contract::Contract& contract) {
  std::vector<const properties::Law*> chosen;
  for (const std::string& name : names) chosen.push_back(&properties::law(name));
  if (names.empty()) {
    for (const properties::Law& entry : properties::laws()) chosen.push_back(&entry);
  }
  for (const properties::Law* entry : chosen) {
    if (entry == &properties::laws().front()) {
      base_ = entry;
    } else if (entry->applies(contract)) {
      others_.push_back(entry);
    }
  }
}

std::vector<const properties::Law*> PropertyRotation::others(std::int64_t index) const {
  if (others_.empty() || (base_ != nullptr && index % 2 == 0)) return {};
  const auto turn = static_cast<std::size_t>(base_ != nullptr ? index / 2 : index);
  std::vector<const properties::Law*> order(others_);
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(turn % order.size()),
              order.end());
  return order;
}

std::vector<std::string> PropertyRotation::names() const {
  std::vector<std::string> names;
  if (base_ != nullptr) names.emplace_back(base_->name);
  for (const properties::Law* other : others_) names.emplace_back(other->name);
  return names;
}

CaseResult run_case(const RunContext& context, const PropertyRotation& rotation,
                    generate::GeneratedCase generated, std::int64_t index) {
  CaseResult result;
  result.generated = std::move(generated);
  const std::vector<const properties::Law*> others = rotation.others(index);
  run::ReferenceCache references(others.empty() ? 0 : kReferenceBytes);
  RunContext shared = context;
  if (shared.references == nullptr) shared.references = &references;
  if (rotation.base() != nullptr) check_if_applicable(shared, *rotation.base(), result);
  if (!result.failures.empty() || result.unsupported)
    return result;  // further findings would be consequences of this one
  for (const properties::Law* other : others) {
    if (check_if_applicable(shared, *other, result)) break;
  }
  return result;
}

CaseResult run_regression(const RunContext& context, const Case& regression) {
  CaseResult result;
  result.generated.problem = regression;
  check_if_applicable(context, properties::law(regression.property), result);
  return result;
}

}  // namespace warpcheck::campaign
