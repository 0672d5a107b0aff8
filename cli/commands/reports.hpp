// The reports that a command's options ask for.
#pragma once

#include <iosfwd>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/targets.hpp"
#include "cli/options/arguments.hpp"
#include "report/report.hpp"

namespace warpcheck::cli {

/// By variant, the .cu file or folder that it was found under; empty: it is built in.
using Paths = std::map<std::string, std::string>;

/// Where people are told what happens: the standard output, or, where a report takes that, the
/// standard error.
[[nodiscard]] std::ostream& console(const Common& common);

/// The console, the crash memory, and the files that were asked for. Throws InputError where a file
/// cannot be written, and where two reports are to go into one.
[[nodiscard]] std::unique_ptr<report::Reports> make_reports(const Common& common,
                                                            const Paths& paths);
[[nodiscard]] std::unique_ptr<report::Reports> make_reports(const Common& common,
                                                            std::span<const Target> targets);

/// The same of a gate, which tells the outcome itself: on the console, findings that are not known.
[[nodiscard]] std::unique_ptr<report::Reports> make_gate_reports(const Common& common,
                                                                 std::span<const Target> targets);

/// The options that choose the device and what it looks for, as the user gave them.
[[nodiscard]] std::vector<std::string> device_options(const Common& common);

/// The command that shows a case again, from the same folder. `path`: of the variant's file or
/// folder; empty: it is built in.
[[nodiscard]] std::string replay_command(const Common& common, const std::string& path,
                                         const properties::Case& problem);

/// Whether the console is a terminal whose user does not refuse colours.
[[nodiscard]] bool on_a_colour_terminal(const Common& common);

/// 0 where everything passed, 1 otherwise.
[[nodiscard]] int exit_status(const properties::campaign::CampaignReport& totals);

}  // namespace warpcheck::cli
