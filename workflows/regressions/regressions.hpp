// Regressions: cases that failed before, which a campaign runs first. Each variant has a file
// `<variant>.cases` of case lines in the folder `regressions` next to the kernel's .cu file; the
// files of built-in variants are in `regressions` of the current folder.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/options.hpp"
#include "campaign/report.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::workflows::regressions {

/// A regression that was added to a file.
struct KeptRegression {
  std::string file;
  std::string line;
};

struct Warning {
  std::string where;  // "regressions/mine.cases:4", or a file
  std::string message;
};

struct RegressionFiles {
  campaign::Regressions regressions;
  std::vector<Warning> warnings;  // cases outside today's domain, files without a variant
};

/// Reads the regressions of the targets. `folder`: where all files are; empty: the folders named
/// above. `properties`: skips cases of other properties; empty: all. Throws InputError with the
/// errors of every line that is not a case of its file's variant.
[[nodiscard]] RegressionFiles read_regressions(std::span<const targets::Target> targets,
                                               const std::string& folder,
                                               const std::vector<std::string>& properties);

/// Adds the smallest case of each finding that its file does not contain yet. The variants of the
/// report are among the targets. Throws EnvironmentError if a file is not
/// writable.
[[nodiscard]] std::vector<KeptRegression> keep_regressions(std::span<const targets::Target> targets,
                                                           const std::string& folder,
                                                           const campaign::CampaignReport& report);

}  // namespace warpcheck::workflows::regressions
