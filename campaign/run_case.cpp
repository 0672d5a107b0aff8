#include "campaign/run_case.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "campaign/checks/reference.hpp"
#include "campaign/run/devices/memoizing_device.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::size_t kReferenceBytes = std::size_t{64} << 20;  // references of one case

/// Adds what a property found on the case `problem`, which meets its conditions.
void add(CaseResult& result, const properties::Law& property, const Case& problem,
         const contract::Contract& contract, const campaign::checks::CheckResult& checked,
         double seconds) {
  if (checked.launched && !checked.unsupported) {
    add(result.checked, {std::string(property.name), 1, seconds});
  }
  result.was_run = true;
  result.shows_terms = result.shows_terms || campaign::checks::shows_terms(contract, problem);
  if (checked.sensitivity) {
    result.sensitivity = std::min(result.sensitivity.value_or(1.0), *checked.sensitivity);
  }
  if (checked.error_over_bound) {
    result.error_over_bound =
        std::max(result.error_over_bound.value_or(0.0), *checked.error_over_bound);
  }
  for (const run::Evidence& evidence : checked.evidence) {
    if (!result.found) result.found = evidence.finding.kind;
    result.failures.push_back({problem, &property, evidence, result.failures.size()});
  }
  if (checked.unsupported && !result.unsupported) {
    result.unsupported = UnsupportedForm{*checked.unsupported, problem};
  }
  for (const run::Evidence& note : checked.notes) {
    result.notes.push_back({problem, &property, note, result.notes.size()});
  }
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

std::vector<const properties::Law*> PropertyRotation::laws(std::int64_t index) const {
  std::vector<const properties::Law*> laws;
  if (base_ != nullptr) laws.push_back(base_);
  if (others_.empty() || (base_ != nullptr && index % 2 == 0)) return laws;
  const auto turn = static_cast<std::size_t>(base_ != nullptr ? index / 2 : index);
  const auto first = others_.begin() + static_cast<std::ptrdiff_t>(turn % others_.size());
  laws.insert(laws.end(), first, others_.end());
  laws.insert(laws.end(), others_.begin(), first);
  return laws;
}

std::vector<std::string> PropertyRotation::names() const {
  std::vector<std::string> names;
  if (base_ != nullptr) names.emplace_back(base_->name);
  for (const properties::Law* other : others_) names.emplace_back(other->name);
  return names;
}

CaseResult run_case(const run::Context& context, std::span<const properties::Law* const> laws,
                    const generate::GeneratedCase& generated) {
  const contract::Contract& contract = context.variant.contract;
  CaseResult result;
  result.generated = generated;
  run::MemoizingDevice memoizing(context.device);
  run::ReferenceCache references(kReferenceBytes);
  run::Context shared = laws.size() > 1 ? context.on(memoizing) : context;
  if (laws.size() > 1 && shared.references == nullptr) shared.references = &references;
  for (const properties::Law* property : laws) {
    const auto problem = properties::adapted_to_domain(*property, contract, generated.problem);
    if (!problem) continue;
    const auto start = std::chrono::steady_clock::now();
    const campaign::checks::CheckResult checked = check_law(*property, shared, *problem, true);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    add(result, *property, *problem, contract, checked, taken.count());
    // Further findings would be consequences of the first one.
    const bool is_base = property == &properties::laws().front();
    if (!is_base || !result.failures.empty() || result.unsupported) break;
  }
  return result;
}

}  // namespace warpcheck::campaign
