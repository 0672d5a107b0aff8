#include "campaign/replay.hpp"

#include <fmt/format.h>

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
#include "workflows/reproducer/reproducer.hpp"
#include "workflows/targets/case_lines.hpp"

namespace warpcheck::cli {
namespace {

using campaign::ReplayReport;
using campaign::VariantReport;

void report_case(const ReplayReport& replayed, report::Reports& reports, std::ostream& out) {
  const VariantReport& report = replayed.report;
  for (const campaign::FindingReport& finding : report.findings) {
    reports.found(finding);
  }
  for (const campaign::FindingReport& note : report.notes) reports.noted(note);
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

/// A program whose outputs hold values does not show that they are read before they are written.
void write_program(const contract::Variant& variant, const campaign::Case& problem,
                   const campaign::CampaignReport& totals, const std::string& folder,
                   std::ostream& out) {
  bool reads_undefined = false;
  for (const VariantReport& report : totals.variants) {
    for (const campaign::FindingReport& finding : report.findings) {
      reads_undefined = reads_undefined || finding.finding.kind == FindingClass::uninitialized_read;
    }
  }
  const std::string command =
      workflows::reproducer::write_reproducer(variant, problem, !reads_undefined, folder);
  out << fmt::format("wrote {0}/reproduce.cu: cd {0} && {1}\n", folder, command);
}

}  // namespace

int run(const ReplayCommand& command) {
  (void)interruptible();
  const auto cases = workflows::targets::read_cases(command.line_or_file);
  const auto targets = targets_of(cases, command.in);
  print_cache_note(targets);
  const ChosenDevice chosen = prepared(command.common, {targets, {}, {}}, {}, [&] {
    return choose_device(command.common, 1, job_count(command.common.campaign.jobs));
  });
  const auto reports = make_reports(command.common, targets, {.device = named(*chosen.device)});
  std::ostream& out = console(command.common);
  if (!command.common.quiet) out << chosen.sentence << '\n' << std::flush;

  device::InterruptibleDevice device(*chosen.device);
  campaign::CampaignReport totals;
  bool launched = false;
  try {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const ReplayReport replayed = campaign::replay(targets[i].variant, cases[i].problem, device,
                                                     *reports, command.common.campaign.strict);
      report_case(replayed, *reports, out);
      launched = launched || replayed.not_launched.empty();
      totals.add(replayed.report);
      totals.seconds += replayed.report.seconds;
    }
  } catch (const Interrupted&) {
    return report_interruption(command.common, *reports, totals);
  }
  reports->summary(totals);
  if (!command.export_to.empty()) {
    if (cases.size() != 1) throw request_error("--export takes one case");
    write_program(targets.front().variant, cases.front().problem, totals, command.export_to, out);
  }
  if (!launched) throw InputError(Diagnostic{cases.front().where, "nothing was run", {}});
  return exit_status(totals);
}

}  // namespace warpcheck::cli
