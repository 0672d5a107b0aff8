// The progress line of commands, and their reports after Ctrl-C or SIGTERM.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/json_output.hpp"
#include "cli/options/arguments.hpp"
#include "report/progress/progress_display.hpp"
#include "report/report.hpp"
#include "report/run/run_info.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {

/// `console`: the standard output or the standard error.
[[nodiscard]] report::ProgressOptions progress_options(const std::ostream& console, bool quiet);

/// The progress of work that has no reports.
class CommandProgress {
 public:
  explicit CommandProgress(std::ostream& console, bool quiet = false);

  /// Shows "compiling [3/56] mine.cu".
  [[nodiscard]] contract::CompileProgress compiling();
  /// `share` of the work is done, up to 1; 0: unknown. `cases` were run; 0: there is no rate.
  void show(std::string text, double share, std::int64_t cases = 0);
  void erase() { display_.erase(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  report::ProgressDisplay display_;
};

/// The targets of a command, resolved with a progress line on the console. A case line, which may
/// be empty, leaves only the variant that it names. Throws InputError if there is none.
[[nodiscard]] std::vector<workflows::targets::Target> resolve_with_progress(
    std::span<const std::string> targets, const std::string& case_line, std::ostream& console);

using Resolve =
    std::function<workflows::targets::ResolvedTargets(const contract::CompileProgress& progress)>;

/// The targets of a campaign. Makes the process interruptible; an interruption is reported in all
/// reports of the command, and the result is empty.
[[nodiscard]] std::optional<workflows::targets::ResolvedTargets> resolve_for_reports(
    const Common& common, const report::RunInfo& run, const Resolve& resolve);

/// The end of an interrupted campaign: requirement and summary of all reports. `planned`: the same
/// as in report::add_completeness_requirement().
[[nodiscard]] int report_interruption(const Common& common, report::Report& reports,
                                      const campaign::CampaignReport& totals,
                                      std::string_view planned = {});

/// Runs another command, which keeps `done` up to date: "1 of 3 variants explored". After an
/// interruption, this is the last line of its output and of its JSON Lines.
[[nodiscard]] int run_interruptibly(
    const std::string& json_file,
    const std::function<int(JsonOutput& json, std::string& done)>& work);

}  // namespace warpcheck::cli
