#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "workflows/history/database.hpp"
#include "workflows/history/history.hpp"
#include "workflows/history/recorder.hpp"

namespace warpcheck::workflows::history {
namespace {

constexpr std::size_t kCampaigns = 16;

std::vector<TrendPoint> pasts_of(const Database& history, const std::string& variant,
                                 const CampaignConfig& setting) {
  Query rows(
      history,
      "SELECT campaigns.id, started, ifnull(verdict, ''), ifnull(cases, 0), source_hash, "
      "(SELECT max(error_over_bound) FROM cases WHERE cases.variant=variants.id) "
      "FROM variants JOIN campaigns ON campaigns.id=campaign "
      "WHERE name=? AND state='finished' AND shards=1 ORDER BY started DESC, campaigns.id DESC");
  rows.bind(variant);
  std::vector<TrendPoint> pasts;
  while (pasts.size() < kCampaigns && rows.next()) {
    const CampaignConfig other = read_setting(history, rows.integer(0));
    if (!has_same_arithmetic(other, setting)) continue;
    pasts.push_back(
        {rows.text(1), rows.text(2), rows.integer(3), rows.maybe_real(5), rows.text(4)});
  }
  std::reverse(pasts.begin(), pasts.end());
  return pasts;
}

}  // namespace

CampaignTrend History::pasts(std::int64_t campaign) const {
  const CampaignConfig setting = read_setting(*database_, campaign);
  CampaignTrend pasts;
  for (const VariantOrigin& variant : setting.variants) {
    pasts[variant.name] = pasts_of(*database_, variant.name, setting);
  }
  return pasts;
}

}  // namespace warpcheck::workflows::history
