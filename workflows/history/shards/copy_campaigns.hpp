// Copies of campaigns from one history in another.
#pragma once

#include <cstddef>

#include "workflows/history/database.hpp"

namespace warpcheck::workflows::history {

struct CopiedCampaigns {
  std::size_t copied = 0;
  std::size_t duplicates = 0;  // that `to` had already
};

/// Copies the campaigns of `from` that `to` lacks. A campaign is known by its uid.
[[nodiscard]] CopiedCampaigns copy_campaigns(const Database& from, Database& to);

}  // namespace warpcheck::workflows::history
