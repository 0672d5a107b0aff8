// A gate's policy as it lies in a repository, and what its paths and globs stand for there.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/targets.hpp"
#include "cli/options/arguments.hpp"
#include "workflows/gate/policy.hpp"

namespace warpcheck::cli {

/// The policy at this path, a file or its folder; empty: `warpcheck.toml` here, or else in the root
/// of the repository that this is a folder of. Throws InputError.
[[nodiscard]] workflows::gate::GatePolicy read_policy(const std::string& path);

/// The variants that the policy takes. Throws InputError where there is none, and where a group or
/// a known failure speaks of none of them; and as resolve_targets().
[[nodiscard]] std::vector<Target> policy_targets(const workflows::gate::GatePolicy& policy);

/// The policy's reports, where the command line names none of their format. Their folders come to
/// be where they are not there.
void use_reports(const workflows::gate::GatePolicy& policy, Common& common);

}  // namespace warpcheck::cli
