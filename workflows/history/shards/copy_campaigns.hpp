// Copies of campaigns from one history in another.
#pragma once

#include <cstddef>

#include "workflows/history/database.hpp"

namespace warpcheck::workflows::history {

struct CopiedCampaigns {
  std::size_t copied = 0;
  std::size_t duplicates = 0;  // campaigns that `to` already had
};

/// Copies the campaigns of `from` that `to` lacks. The uid identifies a campaign.
[[nodiscard]] CopiedCampaigns copy_campaigns(const Database& from, Database& to);

}  // namespace warpcheck::workflows::history
