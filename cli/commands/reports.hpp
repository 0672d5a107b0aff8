// The reports that the options of a command select.
#pragma once

#include <iosfwd>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/options/arguments.hpp"
#include "report/report.hpp"
#include "report/run/run_info.hpp"
#include "workflows/regressions/regressions.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {

/// The .cu file or folder of each variant; empty: built in.
using Paths = std::map<std::string, std::string>;

/// The stream for messages: the standard output, or the standard error if a report is written to
/// the standard output.
[[nodiscard]] std::ostream& console(const Common& common);

/// The console, the record of cases for the crash handler, and the selected files. Throws
/// InputError if a file is not writable or two reports have the same file. `run` has the seed and
/// the device; the rest follows from the other arguments.
[[nodiscard]] std::unique_ptr<report::Reports> make_reports(const Common& common,
                                                            const Paths& paths,
                                                            report::RunInfo run);
[[nodiscard]] std::unique_ptr<report::Reports> make_reports(
    const Common& common, std::span<const workflows::targets::Target> targets, report::RunInfo run);

/// The same for `gate`, which prints its own summary: the console shows only new findings.
[[nodiscard]] std::unique_ptr<report::Reports> make_gate_reports(
    const Common& common, std::span<const workflows::targets::Target> targets, report::RunInfo run);

/// The record of cases for the crash handler and the selected files, for `prove`, which prints its
/// results itself.
[[nodiscard]] std::unique_ptr<report::Reports> make_proof_reports(
    const Common& common, std::span<const workflows::targets::Target> targets, report::RunInfo run);

/// The selected files, for the results of a program. The caller prints them.
[[nodiscard]] std::unique_ptr<report::Reports> make_program_reports(const Common& common,
                                                                    report::RunInfo run);

/// Writes the report files of a campaign that this machine cannot run, and prints nothing.
void report_not_run(const Common& common, const workflows::targets::ResolvedTargets& resolved,
                    report::RunInfo run, const std::string& reason);

/// Returns what `prepare` returns. If this machine lacks what it needs, such as a GPU or nvcc,
/// writes the report files before it throws EnvironmentError.
template <typename Prepare>
[[nodiscard]] auto prepared(const Common& common,
                            const workflows::targets::ResolvedTargets& resolved,
                            const report::RunInfo& run, const Prepare& prepare) {
  try {
    return prepare();
  } catch (const EnvironmentError& error) {
    report_not_run(common, resolved, run, error.what());
    throw;
  }
}

/// Reports the targets of a command of which none can be checked. Returns the exit status.
[[nodiscard]] int report_errors(const Common& common,
                                const workflows::targets::ResolvedTargets& resolved,
                                report::RunInfo run);

/// Prints the errors of targets to the standard error, for commands without reports.
void print_errors(const std::vector<contract::TargetError>& errors);

/// The command that runs a case again from the current folder. `path`: the file or folder of the
/// variant; empty: built in.
[[nodiscard]] std::string replay_command(const Common& common, const std::string& path,
                                         const campaign::Case& problem);

/// True for a terminal that can erase a line.
[[nodiscard]] bool can_redraw(int file);

/// True if the file descriptor is a terminal and colors are not disabled.
[[nodiscard]] bool is_a_color_terminal(int file);

/// The width at which text is wrapped: COLUMNS if it is set, else that of the terminal, else 100.
[[nodiscard]] std::size_t terminal_columns(int terminal);

/// The width at which the console is wrapped.
[[nodiscard]] std::size_t console_columns(const Common& common);

/// True if the console is a terminal and colors are not disabled.
[[nodiscard]] bool on_a_color_terminal(const Common& common);

/// Prints the reason and the other folder to the standard error if a target was compiled outside
/// contract::cache_folder().
void print_cache_note(std::span<const workflows::targets::Target> targets);

/// Reports what the targets have besides variants: errors and files without a contract.
void report_targets(const workflows::targets::ResolvedTargets& resolved, report::Report& reports);

/// Reads the regressions of the targets and prints warnings. If a file is wrong, there are none;
/// its errors are reported and added to `errors`.
[[nodiscard]] campaign::Regressions read_each_regression(
    std::span<const workflows::targets::Target> targets, const std::string& folder,
    const std::vector<std::string>& properties, report::Report& reports,
    std::vector<contract::TargetError>& errors);

/// 0 if everything passed; 2 if a target could not be checked; 3 if the device cannot execute some
/// variants and the others passed; otherwise 1.
[[nodiscard]] int exit_status(const campaign::CampaignReport& totals,
                              const report::Requirements& requirements = {});

}  // namespace warpcheck::cli
