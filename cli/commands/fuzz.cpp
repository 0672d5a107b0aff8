#include <ostream>
#include <vector>

#include "base/parallel_for.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/interrupt.hpp"
#include "cli/commands/origins.hpp"
#include "cli/commands/reports.hpp"
#include "cli/commands/targets.hpp"
#include "workflows/fuzz/fuzzer.hpp"

namespace warpcheck::cli {
namespace {

workflows::fuzz::FuzzOptions options_of(const FuzzCommand& command) {
  workflows::fuzz::FuzzOptions options;
  options.cases = command.cases;
  options.budget_seconds = command.budget_seconds;
  // A search without any limit would not end.
  if (options.cases == 0 && options.budget_seconds == 0.0) options.budget_seconds = 60.0;
  options.seed = command.seed;
  options.properties = command.properties;
  options.jobs = command.common.jobs;
  options.guided = !command.unguided;
  options.stop_at_first = command.stop_at_first;
  options.minimise = command.minimise;
  options.strict_races = command.common.strict_races;
  options.folder = command.corpus;
  options.interrupted = &interruptible();
  return options;
}

}  // namespace

int run(const FuzzCommand& command) {
  const std::vector<Target> targets = resolve_targets(command.targets);
  const ChosenDevice chosen = choose_device(command.common, job_count(command.common.jobs), 1);
  remember_origins(targets);
  std::vector<contract::Variant> variants;
  for (const Target& target : targets) variants.push_back(target.variant);
  const auto reports = make_reports(command.common, targets);
  if (!command.common.quiet) console(command.common) << chosen.sentence << '\n' << std::flush;

  properties::campaign::CampaignReport totals;
  for (const workflows::fuzz::FuzzReport& search :
       workflows::fuzz::run_fuzz(variants, *chosen.device, options_of(command), *reports)) {
    properties::campaign::VariantReport& report = totals.variants.emplace_back();
    report.variant = search.variant;
    report.device = search.device;
    report.cases = search.reached.cases;
    report.seconds = search.reached.seconds;
    report.findings = search.findings;
    if (!search.findings.empty()) report.verdict = properties::campaign::Verdict::finding;
    totals.failed += search.findings.empty() ? 0 : 1;
    totals.cases += report.cases;
    totals.seconds += report.seconds;
  }
  reports->summary(totals);
  return exit_status(totals);
}

}  // namespace warpcheck::cli
