// Cases that failed once and are asked first ever after: a file `<variant>.cases` of case lines for
// each variant, in a folder `regressions` beside the kernel's .cu, or, of built-in variants, here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/commands/targets.hpp"
#include "cli/options/arguments.hpp"
#include "properties/campaign/campaign.hpp"

namespace warpcheck::cli {

/// The regressions of the targets that ask one of the command's properties. Warns on the standard
/// error of cases that no longer lie in their domain, and of files whose variant is gone. Throws
/// InputError with every line that is no case of its file's variant.
[[nodiscard]] properties::campaign::Regressions read_regressions(const CheckCommand& command,
                                                                 std::span<const Target> targets);

/// Adds the smallest case of each finding that is not there yet, and says so on the standard
/// output. Throws EnvironmentError where a file cannot be written.
void keep_regressions(const CheckCommand& command, std::span<const Target> targets,
                      const properties::campaign::CampaignReport& report);

}  // namespace warpcheck::cli
