#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <optional>
#include <sstream>

#include "base/files.hpp"
#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/console/exec_console.hpp"
#include "report/finding/message.hpp"
#include "report/verdict.hpp"
#include "workflows/exec/run/program_report.hpp"
#include "workflows/exec/run/run_program.hpp"

namespace warpcheck::cli {
namespace {

using namespace workflows::exec;
using campaign::CampaignReport;

runtime::ExecOptions options_of(const ExecCommand& command) {
  runtime::ExecOptions options = command.options;
  options.host_threads = job_count(command.common.campaign.jobs);
  options.weak_volatile = command.common.virtual_device.weak_volatile;
  const std::uint64_t instructions = options.limits.instructions;
  options.limits = command.common.virtual_device.limits;
  if (options.limits.instructions == 0) options.limits.instructions = instructions;
  return options;
}

Suppressions suppressions_of_file(const std::string& file) {
  return file.empty() ? Suppressions() : Suppressions::parse(read_input(file), file);
}

/// Reports events as they happen. The program's own output is on the standard output, so that the
/// console is the standard error.
class EventReporter {
 public:
  EventReporter(const ExecCommand& command, report::RunInfo run)
      : program_(command.common.campaign.strict, suppressions_of_file(command.suppressions)),
        console_(std::cerr, report::Paint(is_a_color_terminal(STDERR_FILENO)),
                 {.columns = terminal_columns(STDERR_FILENO)}),
        reports_(make_program_reports(command.common, std::move(run))) {}

  std::optional<runtime::Reply> operator()(runtime::FindingEvent event) {
    const runtime::EventId id = event.id;
    const ProgramReport::Added added = program_.add(std::move(event));
    for (report::Report* const report : both()) {
      added.is_note ? report->noted(added.report) : report->found(added.report);
    }
    if (added.is_note) {
      // It does not show that a test is right, because its memory is not that of a run on a GPU.
      const bool is_undecided = added.report.finding.unfinished_launch != 0;
      return runtime::Reply{
          id, is_undecided ? runtime::Reply::Kind::unsupported : runtime::Reply::Kind::note,
          report::note_line(added.report)};
    }
    return runtime::Reply{
        id,
        added.report.known.empty() ? runtime::Reply::Kind::finding : runtime::Reply::Kind::known,
        report::failure_block(added.report, "", report::Paint(false))};
  }

  std::optional<runtime::Reply> operator()(runtime::UnsupportedEvent event) {
    const runtime::EventId id = event.id;
    const ProgramReport::AddedForm added = program_.add(std::move(event));
    is_incomplete_ = true;
    console_.unsupported(added.variant, added.form);
    std::ostringstream text;
    report::ExecConsole(text, report::Paint(false), {}).unsupported(added.variant, added.form);
    return runtime::Reply{id, runtime::Reply::Kind::unsupported, text.str()};
  }

  std::optional<runtime::Reply> operator()(const runtime::ErrorEvent& event) {
    const contract::TargetError error = program_.add(event);
    for (report::Report* const report : both()) report->not_checked(error);
    status_ = worse_status(status_, event.status);
    return {};
  }

  std::optional<runtime::Reply> operator()(const runtime::StartEvent&) { return {}; }
  std::optional<runtime::Reply> operator()(const runtime::TotalsEvent&) { return {}; }

  /// Completes the reports.
  CampaignReport finish(const ProgramResult& result, const report::Requirements& requirements,
                        double seconds) {
    const CampaignReport campaign = program_.finish(result, seconds);
    for (const auto& variant : campaign.variants) reports_->finished(variant);
    for (report::Report* const report : both()) report->evaluated(requirements);
    reports_->summary(campaign);
    return campaign;
  }

  [[nodiscard]] const Suppressions& suppressions() const { return program_.suppressions(); }
  /// True if the virtual device could not execute something.
  [[nodiscard]] bool is_incomplete() const { return is_incomplete_; }
  /// The status of the errors; 0: there was none.
  [[nodiscard]] int status() const { return status_; }

 private:
  [[nodiscard]] std::array<report::Report*, 2> both() { return {&console_, reports_.get()}; }

  ProgramReport program_;
  report::ExecConsole console_;
  std::unique_ptr<report::Reports> reports_;
  bool is_incomplete_ = false;
  int status_ = kPassed;
};

std::string status_text(const ProgramResult& result) {
  if (result.signal == 0) return fmt::format("the program exited with status {}", result.status);
  return fmt::format("the program was ended by signal {} ({})", result.signal,
                     strsignal(result.signal));
}

/// The requirements of a program besides that it has no findings. The status of a program means
/// nothing if it was executed incompletely.
report::Requirements requirements_of(const ExecCommand& command, const ProgramResult& result,
                                     bool is_incomplete) {
  report::Requirements requirements;
  if (!result.has_runtime && !is_interrupted() && !result.timed_out) return requirements;
  report::Requirement status{"exit-status", "the program exits with status 0", "", {}, ""};
  if (is_interrupted()) {
    status.state = report::RequirementState::undecided;
    status.reason = "interrupted: this result is incomplete: the program was ended";
  } else if (result.timed_out) {
    status.state = report::RequirementState::undecided;
    status.reason = fmt::format("the program did not end within {} s, the limit of `--time`",
                                command.common.campaign.budget_seconds);
  } else if (result.status != 0) {
    status.state =
        is_incomplete ? report::RequirementState::undecided : report::RequirementState::unmet;
    status.reason = status_text(result);
  }
  requirements.all.push_back(std::move(status));
  return requirements;
}

int exit_status_of(const ExecCommand& command, const ProgramResult& result,
                   const CampaignReport& campaign, const EventReporter& reporter) {
  if (is_interrupted()) return kInterrupted;
  if (reporter.status() != kPassed) return reporter.status();
  if (report::totals(campaign).failed != 0) return command.error_status;
  if (result.timed_out || reporter.is_incomplete()) return kEnvironment;
  return result.status != 0 ? result.status : exit_status(campaign);
}

}  // namespace

int run(const ExecCommand& command) {
  EventReporter reporter(command, {.seed = command.options.seed, .device = "virtual"});
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult result = run_program(
      command.program, options_of(command), command.common.campaign.budget_seconds, interruptible(),
      [&](runtime::Event event) { return std::visit(reporter, std::move(event)); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!result.has_runtime && !is_interrupted() && !result.timed_out) {
    std::cerr << "exec: the program used no CUDA runtime that warpcheck can replace: nothing was "
                 "checked\n";
  }
  const CampaignReport campaign = reporter.finish(
      result, requirements_of(command, result, reporter.is_incomplete()), seconds.count());
  if (result.has_runtime && !campaign.not_run.empty()) {
    std::cerr << fmt::format("exec: {}: nothing was checked\n", campaign.not_run);
  }
  if (!command.save.empty())
    write_file(command.save, suppressions_of(campaign, report::message_text));
  for (const Suppression* const unused : reporter.suppressions().unused()) {
    std::cerr << fmt::format("{}:{}: note: no finding matches this suppression\n",
                             unused->where.file, unused->where.line);
  }
  std::cerr << report::skipped_launches(result.totals)
            << report::exec_summary(result.totals, campaign) << std::flush;
  return exit_status_of(command, result, campaign, reporter);
}

}  // namespace warpcheck::cli
