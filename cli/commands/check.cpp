#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "contract/compile/fingerprint.hpp"
#include "properties/campaign/campaign.hpp"
#include "report/coverage_text.hpp"
#include "workflows/coverage/campaign_coverage.hpp"
#include "workflows/history/build_id.hpp"
#include "workflows/history/history.hpp"
#include "workflows/regressions/regressions.hpp"
#include "workflows/targets/origins.hpp"

namespace warpcheck::cli {
namespace {

using properties::campaign::CampaignOptions;
using properties::campaign::CampaignReport;
using properties::campaign::VariantReport;
using workflows::history::CampaignConfig;
using workflows::targets::Target;

bool requires_coverage(const CheckCommand& command) {
  return !command.common.lcov.empty() || command.min_coverage.is_required();
}

/// Throws InputError if the counts would not be the coverage of the whole campaign.
void require_complete_coverage(const CheckCommand& command, const device::Device& device) {
  const auto refuse = [](const char* message) { throw request_error(message); };
  if (device.name() != "virtual") {
    refuse("only the virtual device counts coverage: expected --device virtual");
  }
  if (command.resume) {
    refuse(
        "found --resume with --lcov or --min-coverage: a resumed campaign has no coverage of the "
        "cases that ran before");
  }
  if (command.shard.of > 1 && command.min_coverage.is_required()) {
    refuse(
        "found --min-coverage with --shard: one shard has only a part of the campaign's coverage; "
        "join the --lcov files of all shards with `lcov -a`");
  }
}

CampaignOptions campaign_options(const CheckCommand& command, const device::Device& device) {
  CampaignOptions options;
  options.cases = command.cases;
  options.budget_seconds = command.budget_seconds;
  options.max_size = command.max_size;
  options.seed = command.seed;
  options.properties = command.properties;
  options.jobs = command.common.jobs;
  options.strict_races = command.common.strict_races;
  options.sizes = command.common.sizes;
  options.map_errors = !command.common.html.empty();
  options.shard = {command.shard.number, command.shard.of};
  options.require_lines = command.min_coverage.lines == 0.0;
  const bool is_shown = !command.common.html.empty();
  const bool is_complete = device.name() == "virtual" && !command.resume;
  options.coverage = requires_coverage(command) || (is_shown && is_complete);
  return options;
}

CampaignConfig campaign_config(const CheckCommand& command, const CampaignOptions& options,
                               const device::Device& device, std::span<const Target> targets) {
  CampaignConfig config;
  config.build = workflows::history::build_id();
  config.device = device.name();
  config.device_description = device.description();
  config.races = command.common.races;
  config.mma_arch = command.common.mma_arch;
  config.options = options;
  for (const Target& target : targets) {
    config.variants.push_back(
        {target.variant.contract.name, contract::fingerprint(target.variant), target.path});
  }
  return config;
}

void print_coverage(const CampaignReport& totals, std::ostream& out) {
  const auto total = workflows::coverage::total_coverage(totals);
  if (!total.files.empty()) out << "coverage: " << report::covered(total) << '\n' << std::flush;
}

/// Prints the variants below the minimum coverage. True if there is none.
bool reaches_minimum(const CampaignReport& totals,
                     const workflows::coverage::MinimumCoverage& minimum, std::ostream& out) {
  std::string shortfalls;
  for (const VariantReport* variant : workflows::coverage::below_minimum(totals, minimum)) {
    const std::string shortfall = variant->coverage ? report::shortfall(*variant->coverage, minimum)
                                                    : "not known, because no launch completed";
    shortfalls += (shortfalls.empty() ? "" : "; ") + variant->variant + " " + shortfall;
  }
  if (!shortfalls.empty()) out << "too little coverage: " << shortfalls << '\n' << std::flush;
  return shortfalls.empty();
}

void keep_regressions(const CheckCommand& command, std::span<const Target> targets,
                      const CampaignReport& totals) {
  for (const auto& [file, line] :
       workflows::regressions::keep_regressions(targets, command.regressions, totals)) {
    console(command.common) << fmt::format("added to {}: {}\n", file, line);
  }
}

}  // namespace

int run(const CheckCommand& command) {
  const std::vector<Target> targets = workflows::targets::resolve_targets(command.targets);
  const ChosenDevice chosen = choose_device(command.common, job_count(command.common.jobs), 1);
  remember_origins(targets);
  CampaignOptions options = campaign_options(command, *chosen.device);
  auto regressions =
      workflows::regressions::read_regressions(targets, command.regressions, command.properties);
  print_warnings(regressions.warnings);
  options.regressions = std::move(regressions.regressions);
  if (requires_coverage(command)) require_complete_coverage(command, *chosen.device);

  const auto reports = make_reports(command.common, targets);
  std::ostream& out = console(command.common);
  if (!command.common.quiet) out << chosen.sentence << '\n' << std::flush;
  std::optional<workflows::history::History> history;
  workflows::history::Recording recording;
  if (!command.history.empty()) {
    history.emplace(command.history);
    recording =
        history->record(campaign_config(command, options, *chosen.device, targets), command.resume);
    if (!recording.sentence.empty() && !command.common.quiet) {
      out << recording.sentence << '\n' << std::flush;
    }
  }
  const CampaignReport totals = properties::campaign::run_campaign(
      variants_of(targets), *chosen.device, options, *reports, recording.journal.get());
  std::vector<workflows::history::Drift> drifts;
  if (history) {
    drifts = history->drifts(recording.campaign);
    reports->compared(history->pasts(recording.campaign));
  }
  for (const workflows::history::Drift& drift : drifts) reports->drifted(drift);
  reports->summary(totals);
  if (requires_coverage(command)) print_coverage(totals, out);
  if (command.keep) keep_regressions(command, targets, totals);
  const bool is_covered =
      !command.min_coverage.is_required() || reaches_minimum(totals, command.min_coverage, out);
  if (!is_covered || (command.fail_on_drift && !drifts.empty())) return kFindings;
  return exit_status(totals);
}

}  // namespace warpcheck::cli
