#include "cli/commands/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/process/interruption.hpp"
#include "campaign/case/case.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/json/interruption_json.hpp"
#include "report/requirements/check_requirements.hpp"

namespace warpcheck::cli {

report::ProgressOptions progress_options(const std::ostream& console, bool quiet) {
  const int file = &console == &std::cerr ? STDERR_FILENO : STDOUT_FILENO;
  report::ProgressOptions options;
  options.live = can_redraw(file);
  options.quiet = quiet;
  options.columns = terminal_columns(file);
  return options;
}

CommandProgress::CommandProgress(std::ostream& console, bool quiet)
    : display_(console, std::cerr, progress_options(console, quiet)) {}

contract::CompileProgress CommandProgress::compiling() {
  return [this](const std::string& file, std::size_t number, std::size_t files) {
    show(fmt::format("compiling [{}/{}] {}", number, files,
                     std::filesystem::path(file).filename().string()),
         static_cast<double>(number - 1) / static_cast<double>(files));
  };
}

void CommandProgress::show(std::string text, double share, std::int64_t cases) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  display_.show({std::move(text), seconds.count(), cases, share, std::nullopt});
}

std::vector<workflows::targets::Target> resolve_with_progress(std::span<const std::string> targets,
                                                              const std::string& case_line,
                                                              std::ostream& console) {
  CommandProgress progress(console);
  auto found = workflows::targets::resolve_targets(targets, progress.compiling());
  progress.erase();
  print_cache_note(found);
  if (case_line.empty()) return found;
  const std::string name = campaign::parse_case(case_line).variant;
  std::erase_if(found, [&](const auto& one) { return one.variant.contract.name != name; });
  if (!found.empty()) return found;
  throw InputError(Diagnostic{{"case", 1, 1},
                              targets.size() == 1
                                  ? fmt::format("{} has no variant named {}", targets.front(), name)
                                  : fmt::format("the targets have no variant named {}", name),
                              {}});
}

std::optional<workflows::targets::ResolvedTargets> resolve_for_reports(const Common& common,
                                                                       const report::RunInfo& run,
                                                                       const Resolve& resolve) {
  (void)interruptible();
  try {
    CommandProgress progress(console(common), common.quiet);
    return prepared(common, {}, run, [&] { return resolve(progress.compiling()); });
  } catch (const Interrupted&) {
    const auto reports = make_reports(common, Paths(), run);
    (void)report_interruption(common, *reports, {});
    return std::nullopt;
  }
}

int report_interruption(const Common& common, report::Report& reports,
                        const campaign::CampaignReport& totals, std::string_view planned) {
  report::Requirements requirements;
  add_completeness_requirement(totals, planned, requirements);
  reports.evaluated(requirements);
  reports.summary(totals);
  console(common) << requirements.all.front().reason << '\n' << std::flush;
  return kInterrupted;
}

int run_interruptibly(const std::string& json_file,
                      const std::function<int(JsonOutput& json, std::string& done)>& work) {
  (void)interruptible();
  JsonOutput json(json_file);
  std::string done = "nothing was run";
  try {
    return work(json, done);
  } catch (const Interrupted&) {
    report::Requirements requirements;
    requirements.all.push_back({"complete", "the command is complete", "",
                                report::RequirementState::undecided,
                                fmt::format("interrupted: this result is incomplete: {}", done)});
    json.write(report::interruption_json(requirements));
    json.console() << requirements.all.front().reason << '\n' << std::flush;
    return kInterrupted;
  }
}

}  // namespace warpcheck::cli
