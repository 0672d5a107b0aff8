// The event of an interrupted command.
#pragma once

#include <string>

#include "report/requirement.hpp"

namespace warpcheck::report {

/// A line with the event "gate" of a command without a campaign.
[[nodiscard]] std::string interruption_json(const Requirements& requirements);

}  // namespace warpcheck::report
