#include <optional>
#include <ostream>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/origins.hpp"
#include "cli/commands/regressions.hpp"
#include "cli/commands/reports.hpp"
#include "cli/commands/targets.hpp"
#include "cli/options/exit_status.hpp"
#include "contract/compile/fingerprint.hpp"
#include "properties/campaign/campaign.hpp"
#include "report/coverage_text.hpp"
#include "workflows/history/build_id.hpp"
#include "workflows/history/history.hpp"

namespace warpcheck::cli {
namespace {

workflows::history::CampaignConfig setting_of(const CheckCommand& command,
                                              const properties::campaign::CampaignOptions& options,
                                              const device::Device& device,
                                              std::span<const Target> targets) {
  workflows::history::CampaignConfig setting;
  setting.build = workflows::history::build_id();
  setting.device = device.name();
  setting.device_description = device.description();
  setting.races = command.common.races;
  setting.mma_arch = command.common.mma_arch;
  setting.options = options;
  for (const Target& target : targets) {
    setting.variants.push_back(
        {target.variant.contract.name, contract::fingerprint(target.variant), target.path});
  }
  return setting;
}

bool demands_coverage(const CheckCommand& command) {
  return command.min_coverage.lines > 0.0 || command.min_coverage.branches > 0.0;
}

/// Throws InputError where what was counted would not be the coverage of the campaign.
void require_whole_coverage(const CheckCommand& command, const device::Device& device) {
  const auto refuse = [](const char* message) { throw InputError(Diagnostic{{}, message, {}}); };
  if (device.name() != "virtual") {
    refuse("coverage is counted on the virtual device alone: expected --device virtual");
  }
  if (command.resume) {
    refuse(
        "found --resume where coverage is asked for: what cases executed that are not run again "
        "is not recorded");
  }
  if (command.shard.of > 1 && demands_coverage(command)) {
    refuse(
        "found --min-coverage with --shard: a part of the campaign says nothing of what the "
        "whole executes; join the parts' --lcov files with `lcov -a`");
  }
}

void say_coverage(const properties::campaign::CampaignReport& totals, std::ostream& out) {
  properties::coverage::SourceCoverage sum;
  for (const properties::campaign::VariantReport& variant : totals.variants) {
    if (variant.coverage) merge(sum, *variant.coverage);
  }
  if (!sum.files.empty()) out << "coverage: " << report::covered(sum) << '\n' << std::flush;
}

/// Of the variants whose coverage is too little; false where there is one.
bool covers_enough(const properties::campaign::CampaignReport& totals,
                   const MinimumCoverageChoice& minimum, std::ostream& out) {
  std::string lacking;
  for (const properties::campaign::VariantReport& variant : totals.variants) {
    const std::string what =
        variant.coverage ? report::shortfall(*variant.coverage, {minimum.lines, minimum.branches})
                         : "not known, as no launch completed";
    if (!what.empty()) lacking += (lacking.empty() ? "" : "; ") + variant.variant + " " + what;
  }
  if (!lacking.empty()) out << "too little coverage: " << lacking << '\n' << std::flush;
  return lacking.empty();
}

}  // namespace

int run(const CheckCommand& command) {
  const std::vector<Target> targets = resolve_targets(command.targets);
  const ChosenDevice chosen = choose_device(command.common, host_threads(command.common.jobs), 1);
  remember_origins(targets);

  properties::campaign::CampaignOptions options;
  options.cases = command.cases;
  options.budget_seconds = command.budget_seconds;
  options.max_size = command.max_size;
  options.seed = command.seed;
  options.properties = command.properties;
  options.jobs = command.common.jobs;
  options.strict_races = command.common.strict_races;
  options.map_errors = !command.common.html.empty();
  options.shard = {command.shard.number, command.shard.of};
  options.regressions = read_regressions(command, targets);
  const bool asks_for_coverage = !command.common.lcov.empty() || demands_coverage(command);
  if (asks_for_coverage) require_whole_coverage(command, *chosen.device);
  const bool can_be_shown = chosen.device->name() == "virtual" && !command.resume;
  options.coverage = asks_for_coverage || (!command.common.html.empty() && can_be_shown);

  std::vector<contract::Variant> variants;
  for (const Target& target : targets) variants.push_back(target.variant);
  const auto reports = make_reports(command.common, targets);
  std::ostream& out = console(command.common);
  if (!command.common.quiet) out << chosen.sentence << '\n' << std::flush;
  std::optional<workflows::history::History> history;
  workflows::history::Recording recording;
  if (!command.history.empty()) {
    history.emplace(command.history);
    recording =
        history->record(setting_of(command, options, *chosen.device, targets), command.resume);
    if (!recording.sentence.empty() && !command.common.quiet)
      out << recording.sentence << '\n' << std::flush;
  }
  const properties::campaign::CampaignReport totals = properties::campaign::run_campaign(
      variants, *chosen.device, options, *reports, recording.journal.get());
  std::vector<workflows::history::Drift> drifts;
  if (history) {
    drifts = history->drifts(recording.campaign);
    reports->compared(history->pasts(recording.campaign));
  }
  for (const workflows::history::Drift& drift : drifts) reports->drifted(drift);
  reports->summary(totals);
  if (asks_for_coverage) say_coverage(totals, out);
  if (command.keep) keep_regressions(command, targets, totals);
  const bool covered =
      !demands_coverage(command) || covers_enough(totals, command.min_coverage, out);
  if (!covered || (command.fail_on_drift && !drifts.empty())) return kFindings;
  return exit_status(totals);
}

}  // namespace warpcheck::cli
