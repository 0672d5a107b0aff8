// The campaigns and mutants that a policy requires.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/journal.hpp"
#include "device/device.hpp"
#include "workflows/gate/date.hpp"
#include "workflows/gate/judgement.hpp"
#include "workflows/gate/policy.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::workflows::gate {

struct GateOptions {
  /// Opens a device by its name: "virtual" or "cuda".
  std::function<std::unique_ptr<device::Device>(const std::string& name)> open_device;
  /// The text that marks a finding of a known failure: FindingReport::known.
  std::function<std::string(const KnownFailure&)> known_text;
  Date today;
  unsigned jobs = 0;                     // host threads; 0: one per processor
  campaign::generate::SizeLimits sizes;  // size limits of the generated cases
  bool map_errors = false;               // findings about values get an error map
  bool count_coverage = false;           // coverage is also counted if the policy has no minimum
  campaign::Regressions regressions;
  campaign::Shard shard;  // shard of the cases; a part gets no mutation scores
  /// The journal of a campaign; null: none.
  std::function<std::unique_ptr<campaign::Journal>(std::span<const contract::Variant> variants,
                                                   const device::Device& device,
                                                   const campaign::CampaignOptions& options)>
      journal_of;
  const std::atomic<bool>* interrupted = nullptr;                // see CampaignOptions
  bool use_cache = true;                                         // see ProveSettings
  std::function<void(const prove::VariantResult&)> proved = {};  // called with each proof
};

struct GateRun {
  std::vector<GateOutcome> outcomes;
  campaign::CampaignReport totals;
};

/// Proves the properties that the policy requires; the cases that refute one run first. Runs a
/// campaign for each sequence of variants with the same rules, on each of their devices.
/// Then computes the mutation scores that the policy requires, for variants without a finding. A
/// known failure does not end its campaign. A variant that cannot be checked is one of the errors
/// of the totals. An interrupted run has the outcomes up to then. Opens every device before the
/// first campaign. Throws what run_campaign() and mutate() throw.
[[nodiscard]] GateRun run_gate(const GatePolicy& policy, std::span<const targets::Target> targets,
                               const GateOptions& options, campaign::Listener& listener);

}  // namespace warpcheck::workflows::gate
