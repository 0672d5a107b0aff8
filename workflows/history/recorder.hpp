// The journal that stores a campaign in a history.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "campaign/journal.hpp"
#include "workflows/history/campaign_config.hpp"
#include "workflows/history/database.hpp"

namespace warpcheck::workflows::history {

/// Inserts the rows of a campaign and its variants; returns the campaign's row ID.
[[nodiscard]] std::int64_t begin_campaign(Database& history, const CampaignConfig& setting,
                                          const std::string& uid, const std::string& started);

/// Reads the configuration of a campaign, including its shard and the paths of its variants.
[[nodiscard]] CampaignConfig read_setting(const Database& history, std::int64_t campaign);

class Recorder final : public campaign::Journal {
 public:
  /// Keeps a reference to the history.
  Recorder(Database& history, std::int64_t campaign) : history_(history), campaign_(campaign) {}

  std::unique_ptr<campaign::VariantJournal> open(const std::string& variant) override;
  void finished(const campaign::CampaignReport& report) override;

 private:
  Database& history_;
  std::int64_t campaign_;
  std::mutex mutex_;  // guards the history
};

}  // namespace warpcheck::workflows::history
