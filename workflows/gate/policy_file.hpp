// The policy file of a repository, and the variants that its paths and globs name.
#pragma once

#include <string>
#include <vector>

#include "workflows/gate/policy.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::workflows::gate {

/// Reads the policy at `path`, a file or its folder. If `path` is empty: `warpcheck.toml` in the
/// current folder, or else in the root of its repository. Throws InputError.
[[nodiscard]] GatePolicy read_policy(const std::string& path);

/// The variants that the policy selects, and the errors of its other targets. Throws InputError if
/// there is no error but also no variant, or no variant that a group or a known failure matches.
[[nodiscard]] targets::ResolvedTargets policy_targets(
    const GatePolicy& policy, const contract::CompileProgress& progress = {});

/// A path in the policy, which is relative to the policy's folder, from the current folder.
[[nodiscard]] std::string path_in_policy(const GatePolicy& policy, const std::string& path);

}  // namespace warpcheck::workflows::gate
