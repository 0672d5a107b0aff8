// The reports that a command's options ask for.
#pragma once

#include <memory>
#include <span>

#include "cli/arguments.hpp"
#include "cli/targets.hpp"
#include "report/report.hpp"

namespace warpcheck::cli {

/// The console on the standard output, the crash memory, and the files that were asked for. Throws
/// InputError where a file cannot be written.
[[nodiscard]] std::unique_ptr<report::Reports> make_reports(const Common& common,
                                                            std::span<const Target> targets);

/// 0 where everything passed, 1 otherwise.
[[nodiscard]] int exit_status(const properties::CampaignReport& totals);

}  // namespace warpcheck::cli
