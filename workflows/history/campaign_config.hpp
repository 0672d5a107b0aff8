// What a campaign is a campaign of.
#pragma once

#include <string>
#include <vector>

#include "properties/campaign/campaign.hpp"

namespace warpcheck::workflows::history {

struct VariantOrigin {
  std::string name;
  std::string source_hash;  // contract::fingerprint()
  std::string path;         // of the target that it was found under; empty: built in
};

struct CampaignConfig {
  std::string build;               // of warpcheck: build_id()
  std::string device;              // its name
  std::string device_description;  // its model, what it checks
  bool races = true;               // as the command was asked, for the report and the replay lines
  unsigned mma_arch = 0;
  properties::campaign::CampaignOptions options;
  std::vector<VariantOrigin> variants;
};

/// All that decides the cases and what they lead to, as JSON: of the setting all but the paths, the
/// shard's number, the threads and the budget of time. Two campaigns of one identity are the same
/// campaign.
[[nodiscard]] std::string identity_of(const CampaignConfig& setting);

/// The inverse, for the whole campaign. Throws std::runtime_error with what was found where the
/// text is no identity.
[[nodiscard]] CampaignConfig setting_of(const std::string& identity);

/// The first thing in which two identities differ, as a person calls it; empty: none.
[[nodiscard]] std::string difference(const std::string& one, const std::string& other);

}  // namespace warpcheck::workflows::history
