// The configuration of a campaign, for a history.
#pragma once

#include <span>

#include "cli/options/arguments.hpp"
#include "device/device.hpp"
#include "workflows/history/campaign_config.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {

/// The campaign of all variants of `targets`.
[[nodiscard]] workflows::history::CampaignConfig campaign_config(
    const Common& common, const properties::campaign::CampaignOptions& options,
    const device::Device& device, std::span<const workflows::targets::Target> targets);

}  // namespace warpcheck::cli
