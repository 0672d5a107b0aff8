#include "properties/campaign/replay.hpp"

#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "cli/commands/case_lines.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/reports.hpp"
#include "cli/commands/targets.hpp"

namespace warpcheck::cli {
namespace {

void explain(const properties::campaign::ReplayReport& replayed, std::ostream& out) {
  if (!replayed.launched) out << "nothing was launched: m or n is 0\n";
  if (!replayed.outside.empty()) {
    out << "outside the contract's domain, which requires " << replayed.outside << '\n';
  }
  if (replayed.report.findings.empty() && !replayed.printed.empty()) {
    out << "the kernel printed:\n" << replayed.printed << '\n';
  }
}

}  // namespace

int run(const ReplayCommand& command) {
  const std::vector<LocatedCase> cases = read_cases(command.what);
  const std::vector<Target> targets = targets_of(cases, command.in);
  const ChosenDevice chosen = choose_device(command.common, 1, job_count(command.common.jobs));
  const auto reports = make_reports(command.common, targets);
  std::ostream& out = console(command.common);
  if (!command.common.quiet) out << chosen.sentence << '\n' << std::flush;

  properties::campaign::CampaignReport totals;
  bool launched = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const properties::campaign::ReplayReport replayed =
        properties::campaign::replay(targets[i].variant, cases[i].problem, *chosen.device, *reports,
                                     command.common.strict_races);
    const properties::campaign::VariantReport& report = replayed.report;
    for (const properties::campaign::FindingReport& finding : report.findings)
      reports->found(finding);
    for (const properties::campaign::FindingReport& note : report.notes) reports->noted(note);
    explain(replayed, out);
    reports->finished(report);
    launched = launched || replayed.launched;
    totals.variants.push_back(report);
    totals.failed += report.verdict == properties::campaign::Verdict::finding;
    totals.mistrusted += report.verdict == properties::campaign::Verdict::mistrusted;
    totals.cases += report.cases;
    totals.seconds += report.seconds;
  }
  reports->summary(totals);
  if (!launched) throw InputError(Diagnostic{cases.front().where, "nothing was run", {}});
  return exit_status(totals);
}

}  // namespace warpcheck::cli
