#include <ostream>
#include <vector>

#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "cli/interrupt.hpp"
#include "cli/origins.hpp"
#include "cli/reports.hpp"
#include "cli/targets.hpp"
#include "properties/fuzz/fuzzer.hpp"

namespace warpcheck::cli {
namespace {

properties::FuzzOptions options_of(const FuzzCommand& command) {
  properties::FuzzOptions options;
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
  const ChosenDevice chosen = choose_device(command.common, host_threads(command.common.jobs), 1);
  remember_origins(targets);
  std::vector<kernels::Variant> variants;
  for (const Target& target : targets) variants.push_back(target.variant);
  const auto reports = make_reports(command.common, targets);
  if (!command.common.quiet) console(command.common) << chosen.sentence << '\n' << std::flush;

  properties::CampaignReport totals;
  for (const properties::FuzzReport& search :
       properties::run_fuzz(variants, *chosen.device, options_of(command), *reports)) {
    properties::VariantReport& report = totals.variants.emplace_back();
    report.variant = search.variant;
    report.device = search.device;
    report.cases = search.reached.cases;
    report.seconds = search.reached.seconds;
    report.findings = search.findings;
    if (!search.findings.empty()) report.verdict = properties::Verdict::finding;
    totals.failed += search.findings.empty() ? 0 : 1;
    totals.cases += report.cases;
    totals.seconds += report.seconds;
  }
  reports->summary(totals);
  return exit_status(totals);
}

}  // namespace warpcheck::cli
