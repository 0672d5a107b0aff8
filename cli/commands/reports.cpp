#include "cli/commands/reports.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/paths.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/visible_text.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/progress.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/run/run_info.hpp"
#include "contract/cache_folder.hpp"
#include "contract/kernel_source.hpp"
#include "report/console/console.hpp"
#include "report/console/findings_only.hpp"
#include "report/gitlab/gitlab.hpp"
#include "report/html/page.hpp"
#include "report/json/json_lines.hpp"
#include "report/junit/junit.hpp"
#include "report/lcov/lcov.hpp"
#include "report/markdown/markdown.hpp"
#include "report/requirements/error_text.hpp"
#include "report/sarif/sarif.hpp"
#include "report/verdict.hpp"
#include "report/whole_file.hpp"
#include "workflows/settings/table.hpp"

namespace warpcheck::cli {
namespace {

using workflows::targets::Target;

/// True if NO_COLOR is set and not empty, as no-color.org defines it.
bool colors_are_disabled() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color != nullptr && *no_color != '\0';
}

/// True if a report is written to the standard output.
bool prints_a_report(const Common& common) {
  const auto files = workflows::settings::report_files(common);
  return std::ranges::find(files, kStandardOutput) != files.end();
}

/// The file descriptor of the console.
int console_number(const Common& common) {
  return prints_a_report(common) ? STDERR_FILENO : STDOUT_FILENO;
}

using Format = std::string (*)(const report::ReportContext&);

void print(const std::string& text) {
  errno = 0;
  std::cout << text << std::flush;
  report::require_written(std::cout, "the standard output");
}

/// Adds a report that is written at the end of the campaign. Adds nothing if `path` is empty.
void add_file(report::Reports& reports, const std::string& path,
              const report::ReportContext& context, Format format) {
  if (path.empty()) return;
  if (path == kStandardOutput) {
    reports.add(std::make_unique<report::FinalReport>(
        context, [format](const report::ReportContext& all) { print(format(all)); }));
    return;
  }
  const auto file = std::make_shared<report::WholeFile>(path);
  reports.add(std::make_unique<report::FinalReport>(
      context, [file, format](const report::ReportContext& all) { file->write(format(all)); }));
}

/// Adds a report that is appended to the file, which all steps of a CI job share.
void add_markdown(report::Reports& reports, const std::string& path,
                  const report::ReportContext& context) {
  if (path.empty() || path == kStandardOutput) {
    return add_file(reports, path, context, report::markdown);
  }
  const auto file = std::make_shared<std::ofstream>(path, std::ios::app);
  if (!*file) {
    throw InputError(
        Diagnostic{{path}, std::string("cannot be written: ") + std::strerror(errno), {}});
  }
  reports.add(std::make_unique<report::FinalReport>(context,
                                                    [file, path](const report::ReportContext& all) {
                                                      errno = 0;
                                                      *file << report::markdown(all) << std::flush;
                                                      report::require_written(*file, path);
                                                    }));
}

std::unique_ptr<report::Report> json_lines(const Common& common,
                                           const report::ReportContext& context) {
  std::unique_ptr<report::JsonLines> lines;
  if (common.json == kStandardOutput) {
    lines = std::make_unique<report::JsonLines>(std::make_unique<std::ostream>(std::cout.rdbuf()),
                                                !common.virtual_device.races);
  } else {
    lines = report::JsonLines::to_file(common.json, !common.virtual_device.races);
  }
  if (context.is_program) lines->set_program();
  lines->start(context.run, context.replay_command);
  return lines;
}

/// Prints the errors of targets to the standard error.
class ErrorPrinter final : public report::Report {
 public:
  void not_checked(const contract::TargetError& error) override { print_errors({error}); }
};

/// Two reports in one file would overwrite each other.
void require_different_files(const Common& common) {
  std::set<std::string> seen;
  for (const std::string& file : workflows::settings::report_files(common)) {
    if (seen.insert(file).second || file == "/dev/null") continue;
    throw InputError(
        Diagnostic{{file}, "found as the file of two reports, expected a file for each", {}});
  }
}

}  // namespace

bool can_redraw(int file) {
  const char* terminal = std::getenv("TERM");
  return isatty(file) == 1 && !(terminal != nullptr && std::string_view(terminal) == "dumb");
}

std::size_t terminal_columns(int terminal) {
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    const std::string_view text = columns;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && number != 0) return number;
  }
  winsize size{};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 100;
}

std::string replay_command(const Common& common, const std::string& path,
                           const campaign::Case& problem) {
  std::string line = common.program + " replay";
  for (const std::string& word : workflows::settings::replay_words(common))
    line += " " + shell_word(word);
  if (!path.empty()) line += " --in " + shell_word(path);
  return line + " " + shell_word(to_line(problem));
}

std::ostream& console(const Common& common) {
  return prints_a_report(common) ? std::cerr : std::cout;
}

bool is_a_color_terminal(int file) { return can_redraw(file) && !colors_are_disabled(); }

std::size_t console_columns(const Common& common) {
  return terminal_columns(console_number(common));
}

bool on_a_color_terminal(const Common& common) {
  return is_a_color_terminal(console_number(common));
}

namespace {

enum class ConsoleContent { everything, findings, nothing };

report::ReportContext context_of(const Common& common, const Paths& paths, report::RunInfo run) {
  report::ReportContext context;
  context.path_of = [paths](std::string_view variant) {
    const auto path = paths.find(std::string(variant));
    return path == paths.end() ? std::string() : path->second;
  };
  context.replay_command = [common, path_of = context.path_of](const campaign::Case& problem) {
    return replay_command(common, path_of(problem.variant), problem);
  };
  context.run = std::move(run);
  context.run.command = common.command_line;
  return context;
}

/// Adds the selected files.
void add_files(report::Reports& reports, const Common& common,
               const report::ReportContext& context) {
  if (!common.json.empty()) reports.add(json_lines(common, context));
  add_file(reports, common.junit, context, report::junit);
  add_file(reports, common.sarif, context, report::sarif);
  add_file(reports, common.gitlab, context, report::gitlab);
  add_file(reports, common.html, context, report::html_page);
  add_markdown(reports, common.markdown, context);
  add_file(reports, common.lcov, context, report::lcov);
}

std::unique_ptr<report::Reports> reports_of(const Common& common, const Paths& paths,
                                            ConsoleContent content, report::RunInfo run) {
  require_different_files(common);
  report::ConsoleOptions options;
  options.progress = progress_options(console(common), common.quiet);
  options.colours = on_a_color_terminal(common);
  options.quiet = common.quiet;
  options.verbose = common.verbose;
  options.columns = console_columns(common);
  options.name_width = 0;
  for (const auto& [variant, path] : paths) {
    options.name_width = std::max(options.name_width, variant.size());
  }
  const report::ReportContext context = context_of(common, paths, std::move(run));
  options.replay_command = context.replay_command;

  auto reports = std::make_unique<report::Reports>();
  if (content != ConsoleContent::nothing) {
    reports->add(std::make_unique<CasesInFlight>());
    std::unique_ptr<report::Report> console_report =
        std::make_unique<report::Console>(console(common), std::move(options));
    if (content == ConsoleContent::findings) {
      console_report = std::make_unique<report::FindingsOnly>(std::move(console_report));
    }
    reports->add(std::move(console_report));
    reports->add(std::make_unique<ErrorPrinter>());
  }
  add_files(*reports, common, context);
  return reports;
}

Paths paths_of(std::span<const Target> targets) {
  Paths paths;
  for (const Target& target : targets) paths[target.variant.contract.name] = target.path;
  return paths;
}

/// Completes `run` if a report has a use for it.
report::RunInfo run_of(const Common& common, std::span<const Target> targets, report::RunInfo run) {
  const bool none = workflows::settings::report_files(common).empty();
  return none ? std::move(run) : completed(std::move(run), targets);
}

/// Prints warnings to the standard error.
void print_warnings(std::span<const workflows::regressions::Warning> warnings) {
  for (const auto& [where, message] : warnings) {
    std::cerr << visible(fmt::format("{}: warning: {}", where, message)) << '\n';
  }
}

}  // namespace

std::unique_ptr<report::Reports> make_reports(const Common& common, const Paths& paths,
                                              report::RunInfo run) {
  return reports_of(common, paths, ConsoleContent::everything, run_of(common, {}, std::move(run)));
}

std::unique_ptr<report::Reports> make_reports(const Common& common, std::span<const Target> targets,
                                              report::RunInfo run) {
  return reports_of(common, paths_of(targets), ConsoleContent::everything,
                    run_of(common, targets, std::move(run)));
}

std::unique_ptr<report::Reports> make_gate_reports(const Common& common,
                                                   std::span<const Target> targets,
                                                   report::RunInfo run) {
  return reports_of(common, paths_of(targets), ConsoleContent::findings,
                    run_of(common, targets, std::move(run)));
}

std::unique_ptr<report::Reports> make_proof_reports(const Common& common,
                                                    std::span<const Target> targets,
                                                    report::RunInfo run) {
  require_different_files(common);
  report::ReportContext context =
      context_of(common, paths_of(targets), run_of(common, targets, std::move(run)));
  context.is_proof = true;
  auto reports = std::make_unique<report::Reports>();
  reports->add(std::make_unique<CasesInFlight>());
  reports->add(std::make_unique<ErrorPrinter>());
  add_files(*reports, common, context);
  return reports;
}

std::unique_ptr<report::Reports> make_program_reports(const Common& common, report::RunInfo run) {
  require_different_files(common);
  report::ReportContext context = context_of(common, {}, run_of(common, {}, std::move(run)));
  context.is_program = true;
  auto reports = std::make_unique<report::Reports>();
  add_files(*reports, common, context);
  return reports;
}

void report_not_run(const Common& common, const workflows::targets::ResolvedTargets& resolved,
                    report::RunInfo run, const std::string& reason) {
  const auto reports = reports_of(common, paths_of(resolved.targets), ConsoleContent::nothing,
                                  run_of(common, resolved.targets, std::move(run)));
  report_targets(resolved, *reports);
  campaign::CampaignReport totals;
  totals.errors = resolved.errors;
  totals.not_run = reason;
  reports->summary(totals);
}

int report_errors(const Common& common, const workflows::targets::ResolvedTargets& resolved,
                  report::RunInfo run) {
  const auto reports = make_reports(common, resolved.targets, std::move(run));
  report_targets(resolved, *reports);
  campaign::CampaignReport totals;
  totals.errors = resolved.errors;
  reports->summary(totals);
  return exit_status(totals);
}

void print_errors(const std::vector<contract::TargetError>& errors) {
  std::cout << std::flush;
  for (const contract::TargetError& error : errors) {
    std::cerr << report::error_text(error) << std::flush;
  }
}

void print_cache_note(std::span<const Target> targets) {
  const std::filesystem::path cache = contract::cache_folder();
  const auto elsewhere = std::find_if(targets.begin(), targets.end(), [&](const Target& target) {
    return !target.path.empty() && target.variant.compiled &&
           !contract::is_ptx(target.variant.compiled->source_file) &&
           path_below(cache, target.variant.compiled->ptx_file).empty();
  });
  if (elsewhere == targets.end()) return;
  const std::filesystem::path used = elsewhere->variant.compiled->ptx_file;
  std::cerr << visible(fmt::format(
                   "warpcheck: note: cannot write the cache {} ({}); compiled kernels are in {}",
                   cache.string(), contract::refusal_of_folder(cache), used.parent_path().string()))
            << '\n';
}

void report_targets(const workflows::targets::ResolvedTargets& resolved, report::Report& reports) {
  for (const contract::TargetError& error : resolved.errors) reports.not_checked(error);
  reports.without_contract(resolved.without_contract);
}

campaign::Regressions read_each_regression(std::span<const Target> targets,
                                           const std::string& folder,
                                           const std::vector<std::string>& properties,
                                           report::Report& reports,
                                           std::vector<contract::TargetError>& errors) {
  try {
    auto all = workflows::regressions::read_regressions(targets, folder, properties);
    print_warnings(all.warnings);
    return std::move(all.regressions);
  } catch (const InputError& error) {
    errors.push_back({"regressions", error.diagnostics()});
    reports.not_checked(errors.back());
  }
  return {};
}

int exit_status(const campaign::CampaignReport& totals, const report::Requirements& requirements) {
  switch (report::outcome_of(totals, requirements)) {
    case report::Outcome::passed:
      return kPassed;
    case report::Outcome::failed:
      return kFindings;
    case report::Outcome::error:
      return kInputError;
    case report::Outcome::undecided:
      return kEnvironment;
  }
  return kFindings;
}

}  // namespace warpcheck::cli
