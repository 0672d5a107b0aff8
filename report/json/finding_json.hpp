// A finding as an object of JSON, the same in every file that this folder writes.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "properties/campaign/campaign.hpp"

namespace warpcheck::report {

/// The keys that json_lines.hpp lists; `event_kind` is "finding" or "note".
[[nodiscard]] nlohmann::ordered_json finding_json(
    std::string_view event_kind, const properties::campaign::FindingReport& report);

}  // namespace warpcheck::report
