// One commit of a bisection: whether a case passes on the files as they lie there.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/case_lines.hpp"
#include "cli/options/arguments.hpp"
#include "properties/campaign/replay.hpp"

namespace warpcheck::cli {

/// As `git bisect run` knows them.
inline constexpr int kGood = 0;
inline constexpr int kBad = 1;
inline constexpr int kSkip = 125;
inline constexpr int kAbort = 255;

struct Step {
  int verdict = kSkip;
  std::string reason;  // one line: the finding, or why the cases cannot be asked
  std::vector<properties::campaign::FindingReport> findings;
};

/// Runs the cases on the variants under `in`. They cannot be asked where the kernel does not build,
/// a variant is not there, or a case lies outside its contract's domain or is not handed to it
/// whole. Throws EnvironmentError.
[[nodiscard]] Step ask_here(const Common& common, const std::vector<LocatedCase>& cases,
                            const std::string& in);

}  // namespace warpcheck::cli
