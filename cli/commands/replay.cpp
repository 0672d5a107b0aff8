#include "properties/campaign/replay.hpp"

#include <ostream>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/reports.hpp"
#include "device/interruptible_device.hpp"
#include "workflows/targets/case_lines.hpp"

namespace warpcheck::cli {
namespace {

using properties::campaign::ReplayReport;
using properties::campaign::VariantReport;

void report_case(const ReplayReport& replayed, report::Reports& reports, std::ostream& out) {
  const VariantReport& report = replayed.report;
  for (const properties::campaign::FindingReport& finding : report.findings) {
    reports.found(finding);
  }
  for (const properties::campaign::FindingReport& note : report.notes) reports.noted(note);
  if (!replayed.not_launched.empty()) {
    out << "nothing was launched: " << replayed.not_launched << '\n';
  }
  if (!replayed.outside.empty()) {
    out << "outside the contract's domain, which requires " << replayed.outside << '\n';
  }
  if (report.findings.empty() && !replayed.printed.empty()) {
    out << "the kernel printed:\n" << replayed.printed << '\n';
  }
  reports.finished(report);
}

}  // namespace

int run(const ReplayCommand& command) {
  (void)interruptible();
  const auto cases = workflows::targets::read_cases(command.line_or_file);
  const auto targets = targets_of(cases, command.in);
  print_cache_note(targets);
  const ChosenDevice chosen = prepared(command.common, {targets, {}, {}}, {}, [&] {
    return choose_device(command.common, 1, job_count(command.common.jobs));
  });
  const auto reports = make_reports(command.common, targets, {.device = named(*chosen.device)});
  std::ostream& out = console(command.common);
  if (!command.common.quiet) out << chosen.sentence << '\n' << std::flush;

  device::InterruptibleDevice device(*chosen.device);
  properties::campaign::CampaignReport totals;
  bool launched = false;
  try {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const ReplayReport replayed = properties::campaign::replay(
          targets[i].variant, cases[i].problem, device, *reports, command.common.strict);
      report_case(replayed, *reports, out);
      launched = launched || replayed.not_launched.empty();
      totals.add(replayed.report);
      totals.seconds += replayed.report.seconds;
    }
  } catch (const Interrupted&) {
    return report_interruption(command.common, *reports, totals);
  }
  reports->summary(totals);
  if (!launched) throw InputError(Diagnostic{cases.front().where, "nothing was run", {}});
  return exit_status(totals);
}

}  // namespace warpcheck::cli
