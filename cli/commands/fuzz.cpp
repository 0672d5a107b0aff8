#include <ostream>
#include <vector>

#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "report/finding/message.hpp"
#include "workflows/fuzz/fuzzer.hpp"
#include "workflows/targets/origins.hpp"

namespace warpcheck::cli {
namespace {

using campaign::CampaignReport;
using campaign::VariantReport;
using workflows::fuzz::FuzzReport;
using workflows::targets::Target;

workflows::fuzz::FuzzOptions fuzz_options(const FuzzCommand& command) {
  workflows::fuzz::FuzzOptions options;
  static_cast<campaign::RunOptions&>(options) = command.common.campaign;
  options.cases = command.common.campaign.cases;
  options.budget_seconds = command.common.campaign.budget_seconds;
  // A search without any limit would not end.
  if (options.cases == 0 && options.budget_seconds == 0.0) options.budget_seconds = 60.0;
  options.guided = !command.unguided;
  options.stop_at_first = command.stop_at_first;
  options.minimise = command.minimize;
  options.folder = command.corpus;
  options.sentence = report::message_text;
  options.interrupted = &interruptible();
  return options;
}

CampaignReport totals_of(std::vector<FuzzReport> searches) {
  CampaignReport totals;
  for (FuzzReport& search : searches) {
    VariantReport report;
    report.variant = search.variant;
    report.device = search.device;
    report.cases = search.reached.cases;
    report.seconds = search.reached.seconds;
    report.verdict = search.verdict();
    report.properties = std::move(search.properties);
    report.findings = std::move(search.findings);
    report.unsupported = std::move(search.unsupported);
    totals.seconds += report.seconds;
    totals.add(std::move(report));
  }
  return totals;
}

}  // namespace

int run(const FuzzCommand& command) {
  const Common& common = command.common;
  const auto found = resolve_for_reports(
      common, {.seed = common.campaign.seed}, [&](const contract::CompileProgress& progress) {
        return workflows::targets::resolve_each_target(command.targets, progress);
      });
  if (!found) return kInterrupted;
  const workflows::targets::ResolvedTargets& resolved = *found;
  if (resolved.targets.empty()) {
    return report_errors(common, resolved, {.seed = common.campaign.seed});
  }
  const std::vector<Target>& targets = resolved.targets;
  print_cache_note(targets);
  const ChosenDevice chosen = prepared(common, resolved, {.seed = common.campaign.seed}, [&] {
    return choose_device(common, job_count(common.campaign.jobs), 1);
  });
  remember_origins(targets);
  const auto reports = make_reports(
      common, targets, {.seed = common.campaign.seed, .device = named(*chosen.device)});
  if (!common.quiet) console(common) << chosen.sentence << '\n' << std::flush;
  report_targets(resolved, *reports);
  CampaignReport totals = totals_of(workflows::fuzz::run_fuzz(variants_of(targets), *chosen.device,
                                                              fuzz_options(command), *reports));
  totals.errors = resolved.errors;
  if (is_interrupted()) return report_interruption(common, *reports, totals);
  reports->summary(totals);
  return exit_status(totals);
}

}  // namespace warpcheck::cli
