#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workflows/history/database.hpp"
#include "workflows/history/history.hpp"
#include "workflows/history/recorder.hpp"

namespace warpcheck::workflows::history {
namespace {

constexpr std::size_t kDriftCampaigns = 16;  // most earlier campaigns in a comparison

/// A variant's campaign that passed.
struct Passed {
  std::int64_t variant = 0;  // row ID
  std::string source_hash;
  std::string started;
};

/// The campaigns that ended before `campaign` on the same device and model of the tensor cores, the
/// last one first.
std::vector<Passed> passed_before(const Database& history, std::int64_t campaign,
                                  const std::string& name, const CampaignConfig& setting) {
  Query rows(history,
             "SELECT variants.id, source_hash, started, campaigns.id FROM variants "
             "JOIN campaigns ON campaigns.id=campaign WHERE name=? AND verdict='pass' "
             "AND state='finished' AND shards=1 AND campaigns.id<>? ORDER BY started DESC, "
             "campaigns.id DESC");
  rows.bind(name).bind(campaign);
  std::vector<Passed> passed;
  while (passed.size() < kDriftCampaigns && rows.next()) {
    const CampaignConfig other = read_setting(history, rows.integer(3));
    if (!has_same_arithmetic(other, setting)) continue;
    passed.push_back({rows.integer(0), rows.text(1), rows.text(2)});
  }
  return passed;
}

Errors errors_of(const Database& history, std::int64_t variant) {
  Errors errors;
  Query rows(history,
             "SELECT line, error_over_bound FROM cases WHERE variant=? AND "
             "error_over_bound IS NOT NULL");
  rows.bind(variant);
  while (rows.next()) errors[rows.text(0)] = rows.real(1);
  return errors;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<std::int64_t> passed_row(const Database& history, std::int64_t campaign,
                                       const std::string& name) {
  Query row(history, "SELECT id FROM variants WHERE campaign=? AND name=? AND verdict='pass'");
  row.bind(campaign).bind(name);
  return row.next() ? std::optional(row.integer(0)) : std::nullopt;
}

std::optional<Drift> drift_of(const Database& history, std::int64_t campaign,
                              const VariantOrigin& variant, const CampaignConfig& setting) {
  const auto now = passed_row(history, campaign, variant.name);
  if (!now) return std::nullopt;
  const std::vector<Passed> passed = passed_before(history, campaign, variant.name, setting);
  const auto last = std::find_if(passed.begin(), passed.end(), [&](const Passed& other) {
    return other.source_hash != variant.source_hash;
  });
  if (last == passed.end()) return std::nullopt;
  Errors before;
  std::vector<double> typical;
  for (const Passed& other : passed) {
    Errors errors = errors_of(history, other.variant);
    typical.push_back(level_of(errors).typical);
    if (other.source_hash == last->source_hash) before.merge(std::move(errors));
  }
  std::optional<Drift> drift = drift_between(before, errors_of(history, *now));
  if (drift) {
    drift->variant = variant.name;
    drift->device = setting.settings.device;
    drift->since = last->started;
    drift->usual = median(std::move(typical));
  }
  return drift;
}

}  // namespace

std::vector<Drift> History::drifts(std::int64_t campaign) const {
  const CampaignConfig setting = read_setting(*database_, campaign);
  std::vector<Drift> drifts;
  if (!setting.settings.campaign.shard.is_whole()) return drifts;
  for (const VariantOrigin& variant : setting.variants) {
    if (auto drift = drift_of(*database_, campaign, variant, setting)) {
      drifts.push_back(std::move(*drift));
    }
  }
  return drifts;
}

}  // namespace warpcheck::workflows::history
