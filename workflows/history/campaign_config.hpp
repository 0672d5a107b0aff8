// The configuration that identifies a campaign.
#pragma once

#include <string>
#include <vector>

#include "properties/campaign/campaign.hpp"

namespace warpcheck::workflows::history {

struct VariantOrigin {
  std::string name;
  std::string source_hash;  // contract::fingerprint()
  std::string path;         // of the target that contains it; empty: a built-in variant
};

struct CampaignConfig {
  std::string build;               // of warpcheck: build_id()
  std::string device;              // its name
  std::string device_description;  // its model and checks
  bool races = true;  // as requested on the command line, for the report and the replay lines
  unsigned mma_arch = 0;
  properties::campaign::CampaignOptions options;
  std::vector<VariantOrigin> variants;
  std::string nvcc = {};      // versions that compiled the variants; empty: unknown
  std::string revision = {};  // of the repository of the sources; empty: none
};

/// Returns, as JSON, everything that determines the cases and their results: the configuration
/// without the paths, the versions, the shard's number, the threads and the time budget. Two runs
/// with the same identity are the same campaign.
[[nodiscard]] std::string identity_of(const CampaignConfig& setting);

/// The inverse, for the whole campaign. Throws std::runtime_error if the text is not an identity.
[[nodiscard]] CampaignConfig setting_of(const std::string& identity);

/// Returns the user-visible name of the first difference between two identities; empty if there is
/// none.
[[nodiscard]] std::string difference(const std::string& one, const std::string& other);

}  // namespace warpcheck::workflows::history
