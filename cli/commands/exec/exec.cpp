#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "base/process/interruption.hpp"
#include "base/text/demangle.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/json_output.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/console/exec_text.hpp"
#include "report/json/exec_json.hpp"
#include "workflows/exec/run/run_program.hpp"
#include "workflows/exec/run/symbolize.hpp"

namespace warpcheck::cli {
namespace {

using namespace workflows::exec;

ExecOptions options_of(const ExecCommand& command) {
  ExecOptions options;
  options.kernels = command.kernels;
  options.skip = command.skip;
  options.count = command.count;
  options.seed = command.seed;
  options.multiprocessors = command.multiprocessors;
  options.host_threads = job_count(command.jobs);
  options.seconds = command.launch_seconds;
  options.leaks = command.leaks;
  return options;
}

/// True if code of the Toolkit alone uses an undefined value: CUB computes on items beyond the end
/// of a range, and drops the results.
bool is_internal(const Finding& finding) {
  return finding.kind == FindingClass::uninitialized_read && is_toolkit_header(finding.source.file);
}

/// Prints events as they happen. The program's own output is on the standard output, so that these
/// are on the standard error.
class EventPrinter {
 public:
  EventPrinter(const ExecCommand& command, JsonOutput& json)
      : strict_(command.strict), json_(json), paint_(is_a_color_terminal(STDERR_FILENO)) {
    style_.columns = terminal_columns(STDERR_FILENO);
  }

  void operator()(FindingEvent event) {
    symbolize(event.stack);
    // nvcc gives the function of the host that launches a kernel the kernel's name.
    const std::string kernel = demangle(event.kernel);
    std::erase_if(event.stack, [&](const HostFrame& frame) { return frame.function == kernel; });
    for (RelatedStack& related : event.related) symbolize(related.frames);
    const bool note = is_note(event.finding.grade, strict_) || is_internal(event.finding);
    ++(note ? totals_.notes : totals_.findings);
    std::cerr << (note ? report::exec_note(event) : report::exec_block(event, paint_, style_))
              << std::flush;
    json_.write(report::exec_json(note ? "note" : "finding", event).dump() + "\n");
  }

  void operator()(UnsupportedEvent event) {
    symbolize(event.stack);
    ++totals_.unsupported;
    std::cerr << report::exec_unsupported(event, paint_) << std::flush;
    json_.write(report::exec_json(event).dump() + "\n");
  }

  void operator()(const ErrorEvent& event) {
    std::cerr << event.message << '\n';
    status_ = worse_status(status_, event.status);
  }

  void operator()(const StartEvent&) {}
  void operator()(const TotalsEvent&) {}

  [[nodiscard]] const report::ExecTotals& totals() const { return totals_; }
  /// The status of the errors; 0: there was none.
  [[nodiscard]] int status() const { return status_; }

 private:
  Strictness strict_;
  JsonOutput& json_;
  report::Paint paint_;
  report::BlockStyle style_;
  report::ExecTotals totals_;
  int status_ = kPassed;
};

int exit_status_of(const ExecCommand& command, const ProgramResult& result,
                   const EventPrinter& printer) {
  if (printer.status() != kPassed) return printer.status();
  if (printer.totals().findings != 0) return command.error_status;
  if (result.status != 0) return result.status;
  return printer.totals().unsupported != 0 || !result.has_runtime ? kEnvironment : kPassed;
}

}  // namespace

int run(const ExecCommand& command) {
  JsonOutput json(command.json);
  EventPrinter printer(command, json);
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult result =
      run_program(command.program, options_of(command), interruptible(),
                  [&](Event event) { std::visit(printer, std::move(event)); });
  report::ExecTotals totals = printer.totals();
  totals.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!result.has_runtime) {
    std::cerr << "exec: the program used no CUDA runtime that warpcheck can replace: nothing was "
                 "checked\n";
  }
  if (result.status > 128) {
    std::cerr << fmt::format("exec: the program was ended by signal {}\n", result.status - 128);
  }
  std::cerr << report::exec_summary(result.totals, totals) << std::flush;
  return exit_status_of(command, result, printer);
}

}  // namespace warpcheck::cli
