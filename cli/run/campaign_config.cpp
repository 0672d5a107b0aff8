#include "cli/run/campaign_config.hpp"

#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "cli/run/run_info.hpp"
#include "contract/compile/fingerprint.hpp"
#include "workflows/history/build_id.hpp"

namespace warpcheck::cli {

bool requires_coverage(const CheckCommand& command) {
  return !command.common.lcov.empty() || command.min_coverage.is_required();
}

campaign::CampaignOptions campaign_options(const CheckCommand& command,
                                           const device::Device& device) {
  campaign::CampaignOptions options;
  options.cases = command.cases;
  options.budget_seconds = command.budget_seconds;
  options.max_size = command.max_size;
  options.seed = command.seed;
  options.properties = command.properties;
  options.jobs = job_count(command.common.jobs);
  options.strict = command.common.strict;
  options.sizes = command.common.sizes;
  options.map_errors = !command.common.html.empty();
  options.shard = {command.shard.number, command.shard.of};
  options.require_lines = command.min_coverage.lines == 0.0;
  options.continue_after_errors = true;
  options.interrupted = &interruptible();
  const bool is_shown = !command.common.html.empty();
  const bool is_complete = device.name() == "virtual" && !command.resume;
  options.coverage = requires_coverage(command) || (is_shown && is_complete);
  return options;
}

workflows::history::CampaignConfig campaign_config(const Common& common) {
  workflows::history::CampaignConfig config;
  config.races = common.races;
  config.weak_volatile = common.weak_volatile;
  config.mma_arch = common.mma_arch;
  config.limits = common.limits;
  config.options.strict = common.strict;
  config.options.sizes = common.sizes;
  return config;
}

Common options_of(const workflows::history::CampaignConfig& config, Common common) {
  common.device = config.device == "cuda" ? DeviceChoice::cuda : DeviceChoice::virtual_device;
  common.races = config.races;
  common.weak_volatile = config.weak_volatile;
  common.mma_arch = config.mma_arch;
  common.limits = config.limits;
  common.strict = config.options.strict;
  common.sizes = config.options.sizes;
  return common;
}

workflows::history::CampaignConfig campaign_config(
    const Common& common, const campaign::CampaignOptions& options, const device::Device& device,
    std::span<const workflows::targets::Target> targets) {
  workflows::history::CampaignConfig config = campaign_config(common);
  config.build = workflows::history::build_id();
  config.device = device.name();
  config.device_description = device.description();
  config.options = options;
  for (const workflows::targets::Target& target : targets) {
    config.variants.push_back(
        {target.variant.contract.name, contract::fingerprint(target.variant), target.path});
  }
  config.nvcc = nvcc_versions(targets);
  config.revision = revision_of(targets);
  return config;
}

}  // namespace warpcheck::cli
