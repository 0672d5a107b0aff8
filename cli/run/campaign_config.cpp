#include "cli/run/campaign_config.hpp"

#include "cli/run/run_info.hpp"
#include "contract/compile/fingerprint.hpp"
#include "workflows/history/build_id.hpp"

namespace warpcheck::cli {

workflows::history::CampaignConfig campaign_config(
    const Common& common, const properties::campaign::CampaignOptions& options,
    const device::Device& device, std::span<const workflows::targets::Target> targets) {
  workflows::history::CampaignConfig config;
  config.build = workflows::history::build_id();
  config.device = device.name();
  config.device_description = device.description();
  config.races = common.races;
  config.mma_arch = common.mma_arch;
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
