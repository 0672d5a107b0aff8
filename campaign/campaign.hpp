// Runs many cases of many properties over many variants, within a budget.
#pragma once

#include <span>

#include "base/diagnostic.hpp"
#include "campaign/listener.hpp"
#include "campaign/options.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign {

class Journal;

/// Runs `options.cases` cases of each variant, or the shard's part of them, and shrinks the failing
/// ones. Each cause is reported once. After ten causes, two timeouts, or 48 cases without a new
/// one, the campaign continues with the next variant. Cases that the journal (null: none) contains
/// from an interrupted run are not run again. Throws InputError if a property is unknown and,
/// unless CampaignOptions::continue_after_errors, if a contract's domain contains no case, if the
/// PTX is invalid, or if no case was run at all.
[[nodiscard]] CampaignReport run_campaign(std::span<const contract::Variant> variants,
                                          device::Device& device, const CampaignOptions& options,
                                          Listener& listener, Journal* journal = nullptr);

/// The error of a campaign without a case.
[[nodiscard]] InputError no_case_error(const CampaignReport& report,
                                       const CampaignOptions& options);

}  // namespace warpcheck::campaign
