// Requirements, and targets with errors, as JSON objects.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "campaign/report.hpp"
#include "contract/target_error.hpp"
#include "report/requirement.hpp"

namespace warpcheck::report {

/// One event for each error of a target.
[[nodiscard]] std::vector<nlohmann::ordered_json> error_json(const contract::TargetError& error);

/// The event of a gate, or of the requirements of `check`.
[[nodiscard]] nlohmann::ordered_json gate_json(const campaign::CampaignReport& campaign,
                                               const Requirements& requirements);

}  // namespace warpcheck::report
