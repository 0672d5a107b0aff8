#include <iostream>
#include <vector>

#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "cli/origins.hpp"
#include "cli/reports.hpp"
#include "cli/targets.hpp"
#include "properties/campaign.hpp"

namespace warpcheck::cli {

int run(const CheckCommand& command) {
  const std::vector<Target> targets = resolve_targets(command.targets);
  const ChosenDevice chosen = choose_device(command.common, host_threads(command.common.jobs), 1);
  remember_origins(targets);

  properties::CampaignOptions options;
  options.cases = command.cases;
  options.budget_seconds = command.budget_seconds;
  options.max_size = command.max_size;
  options.seed = command.seed;
  options.properties = command.properties;
  options.jobs = command.common.jobs;
  options.strict_races = command.common.strict_races;

  std::vector<kernels::Variant> variants;
  for (const Target& target : targets) variants.push_back(target.variant);
  const auto reports = make_reports(command.common, targets);
  std::cout << chosen.sentence << '\n' << std::flush;
  const properties::CampaignReport totals =
      properties::run_campaign(variants, *chosen.device, options, *reports);
  reports->summary(totals);
  return exit_status(totals);
}

}  // namespace warpcheck::cli
