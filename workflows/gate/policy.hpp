// The policy of a gate: the requirements for a repository's kernels in `warpcheck.toml`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "device/finding.hpp"
#include "proof/proof.hpp"
#include "workflows/gate/date.hpp"
#include "workflows/settings/table.hpp"

namespace warpcheck::workflows::gate {

/// Minimum percentages; 0 requires nothing.
struct Minimums {
  double sensitivity = 0.0;
  double lines = 0.0;  // lines executed on the virtual device, among those that have instructions
  double branches = 0.0;
  double mutation_score = 0.0;

  friend bool operator==(const Minimums&, const Minimums&) = default;
};

/// Requirements for a variant.
struct GateRules {
  std::vector<std::string> devices = {"virtual"};
  settings::Settings settings;  // the budget of time is that of one variant
  std::size_t mutants = 50;     // most mutants that run for a mutation score
  Minimums minimum;
  std::vector<proof::Property> prove;  // properties that must be proved

  friend bool operator==(const GateRules& one, const GateRules& other) {
    return one.devices == other.devices && have_same_policy(one.settings, other.settings) &&
           one.mutants == other.mutants && one.minimum == other.minimum && one.prove == other.prove;
  }
};

/// Changes of the rules for some variants.
struct GateGroup {
  std::vector<std::string> variants;  // globs over their names
  std::vector<std::function<void(GateRules&)>> changes;
  Location where;
};

/// A finding that does not fail the gate until a date.
struct KnownFailure {
  std::string variant = {};  // a glob
  FindingClass kind = FindingClass::wrong_result;
  std::string property = {};  // empty: any
  unsigned line = 0;          // line of the finding; 0: any
  std::string reason = {};
  Date until = {};  // the last day
  Location where = {};
};

struct GatePolicy {
  std::string file;
  std::vector<std::string> targets;   // targets of `check`; relative to the policy's folder
  std::vector<std::string> variants;  // globs over the names of the targets' variants; empty: all
  Location variants_where;            // location of the value of `variants`
  GateRules rules;
  std::vector<GateGroup> groups;  // a later group overrides an earlier one
  std::vector<KnownFailure> known_failures;
  bool require_contracts = false;              // a .cu file of a folder without a contract fails
  std::map<std::string, std::string> reports;  // files by format, from the policy's folder

  /// Returns the rules of a variant.
  [[nodiscard]] GateRules rules_of(std::string_view variant) const;
  [[nodiscard]] bool takes(std::string_view variant) const;
};

/// Reads a policy. `file` names the text in errors. Throws InputError with all errors, located.
[[nodiscard]] GatePolicy parse_policy(std::string_view toml, const std::string& file);

/// Throws InputError if the policy limits the time of cases: which of them run then depends on the
/// machine.
void require_no_time_limit(const GatePolicy& policy);

/// Returns true if a glob (`*`, `?`, `[...]`) matches a name.
[[nodiscard]] bool matches(const std::string& glob, std::string_view name);

}  // namespace warpcheck::workflows::gate
