#include "workflows/gate/policy.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace warpcheck::workflows::gate {

void require_no_time_limit(const GatePolicy& policy) {
  const auto refuse = [](const Location& where) {
    throw InputError(Diagnostic{
        where,
        "found `seconds`, which a gate in shards cannot have: which cases run would depend on the "
        "machine. Use `cases`",
        {}});
  };
  if (policy.rules.settings.campaign.budget_seconds > 0.0) refuse({policy.file, 0, 0});
  for (const GateGroup& group : policy.groups) {
    GateRules rules;
    for (const auto& change : group.changes) change(rules);
    if (rules.settings.campaign.budget_seconds > 0.0) refuse(group.where);
  }
}

bool matches(const std::string& glob, std::string_view name) {
  return fnmatch(glob.c_str(), std::string(name).c_str(), 0) == 0;
}

GateRules GatePolicy::rules_of(std::string_view variant) const {
  GateRules result = rules;
  for (const GateGroup& group : groups) {
    const bool belongs = std::any_of(group.variants.begin(), group.variants.end(),
                                     [&](const auto& glob) { return matches(glob, variant); });
    if (!belongs) continue;
    for (const auto& change : group.changes) change(result);
  }
  return result;
}

bool GatePolicy::takes(std::string_view variant) const {
  return variants.empty() || std::any_of(variants.begin(), variants.end(),
                                         [&](const auto& glob) { return matches(glob, variant); });
}

}  // namespace warpcheck::workflows::gate
