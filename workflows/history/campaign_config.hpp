// The configuration that identifies a campaign.
#pragma once

#include <string>
#include <vector>

#include "workflows/settings/settings.hpp"

namespace warpcheck::workflows::history {

struct VariantOrigin {
  std::string name;
  std::string source_hash;  // contract::fingerprint()
  std::string path;         // path of the target that contains it; empty: a built-in variant
};

struct CampaignConfig {
  std::string build;               // build_id() of warpcheck
  std::string device_description;  // model and checks of the device
  settings::Settings settings;     // have the name of the device that ran it
  std::vector<VariantOrigin> variants;
  std::string nvcc = {};      // versions that compiled the variants; empty: unknown
  std::string revision = {};  // revision of the repository of the sources; empty: none
};

/// Returns, as JSON, everything that determines the cases and their results: the options with an
/// effect in the table of options, and the variants, without the paths, the versions, the shard's
/// number, the threads and the time budget. Two runs with the same identity are the same campaign.
[[nodiscard]] std::string identity_of(CampaignConfig setting);

/// The inverse, for the whole campaign. Throws std::runtime_error if the text is not an identity.
[[nodiscard]] CampaignConfig setting_of(const std::string& identity);

/// True if both ran on the same device with the same model of the tensor cores.
[[nodiscard]] bool has_same_arithmetic(const CampaignConfig& one, const CampaignConfig& other);

/// Returns the user-visible name of the first difference between two identities; empty if there is
/// none.
[[nodiscard]] std::string difference(const std::string& one, const std::string& other);

}  // namespace warpcheck::workflows::history
