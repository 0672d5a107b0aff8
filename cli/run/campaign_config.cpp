#include "cli/run/campaign_config.hpp"

#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "cli/run/run_info.hpp"
#include "contract/compile/fingerprint.hpp"
#include "workflows/history/build_id.hpp"

namespace warpcheck::cli {

bool requires_coverage(const CheckCommand& command) {
  return !command.common.lcov.empty() || command.common.min_coverage.is_required();
}

campaign::CampaignOptions campaign_options(const CheckCommand& command,
                                           const device::Device& device) {
  const Common& common = command.common;
  campaign::CampaignOptions options = common.campaign;
  options.jobs = job_count(options.jobs);
  options.map_errors = !common.html.empty();
  options.require_lines = common.min_coverage.lines == 0.0;
  options.continue_after_errors = true;
  options.interrupted = &interruptible();
  const bool is_complete = device.name() == "virtual" && !common.resume;
  options.coverage = requires_coverage(command) || (options.map_errors && is_complete);
  return options;
}

workflows::history::CampaignConfig campaign_config(
    const Common& common, const campaign::CampaignOptions& options, const device::Device& device,
    std::span<const workflows::targets::Target> targets) {
  workflows::history::CampaignConfig config;
  config.build = workflows::history::build_id();
  config.device_description = device.description();
  config.settings = common;
  config.settings.device = device.name();
  config.settings.campaign = options;
  for (const workflows::targets::Target& target : targets) {
    config.variants.push_back(
        {target.variant.contract.name, contract::fingerprint(target.variant), target.path});
  }
  config.nvcc = nvcc_versions(targets);
  config.revision = revision_of(targets);
  return config;
}

}  // namespace warpcheck::cli
