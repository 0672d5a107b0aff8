// Many cases of many properties over many variants, within a budget.
#pragma once

#include <span>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "properties/campaign/listener.hpp"
#include "properties/campaign/options.hpp"

namespace warpcheck::properties::campaign {

class Journal;

/// Runs `options.cases` cases of each variant, or the shard's share of them, and shrinks what they
/// find: up to three findings that differ in class or source line, then the next variant. What the
/// journal (null: none) has of an interrupted run of the same campaign is not run again. Throws
/// InputError where a contract's domain holds no case, a property is not known, the PTX is not PTX,
/// or no case was asked at all.
[[nodiscard]] CampaignReport run_campaign(std::span<const contract::Variant> variants,
                                          device::Device& device, const CampaignOptions& options,
                                          Listener& listener, Journal* journal = nullptr);

}  // namespace warpcheck::properties::campaign
