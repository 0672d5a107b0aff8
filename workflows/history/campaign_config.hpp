// The configuration that identifies a campaign.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/campaign.hpp"

namespace warpcheck::workflows::history {

struct VariantOrigin {
  std::string name;
  std::string source_hash;  // contract::fingerprint()
  std::string path;         // path of the target that contains it; empty: a built-in variant
};

struct CampaignConfig {
  std::string build;               // build_id() of warpcheck
  std::string device;              // name of the device
  std::string device_description;  // model and checks of the device
  bool races = true;  // option of the command line, for the report and the replay lines
  bool weak_volatile = false;
  unsigned mma_arch = 0;
  device::Limits limits;
  campaign::CampaignOptions options;
  std::vector<VariantOrigin> variants;
  std::string nvcc = {};      // versions that compiled the variants; empty: unknown
  std::string revision = {};  // revision of the repository of the sources; empty: none
};

/// An option of the command line that determines the cases of a campaign or their verdicts, or one
/// name that such an option takes. The identity of a campaign and the command that replays one of
/// its cases follow from the table of these options.
struct CampaignOption {
  std::string_view option;  // "--seed", "--limit blocks"; empty: no option sets it
  std::string_view key;     // name in identities, and in messages about two that differ
  /// The words of the command that replays a case; none for the default. Null: the option chooses
  /// cases only.
  std::vector<std::string> (*words)(const CampaignConfig& config);
};

[[nodiscard]] std::vector<CampaignOption> campaign_options();

/// The options of `check` that determine neither: they change the reports, the speed, or the exit
/// status.
[[nodiscard]] std::span<const std::string_view> other_options();

/// The options of the command that replays a case of the campaign, except for its device.
[[nodiscard]] std::vector<std::string> replay_options(const CampaignConfig& config);

/// Returns, as JSON, everything that determines the cases and their results: the options of
/// campaign_options() and the variants, without the paths, the versions, the shard's number, the
/// threads and the time budget. Two runs with the same identity are the same campaign.
[[nodiscard]] std::string identity_of(const CampaignConfig& setting);

/// The inverse, for the whole campaign. Throws std::runtime_error if the text is not an identity.
[[nodiscard]] CampaignConfig setting_of(const std::string& identity);

/// Returns the user-visible name of the first difference between two identities; empty if there is
/// none.
[[nodiscard]] std::string difference(const std::string& one, const std::string& other);

}  // namespace warpcheck::workflows::history
