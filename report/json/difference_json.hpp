// The "difference" event of the JSON output.
#pragma once

#include <string>

#include "report/difference.hpp"

namespace warpcheck::report {

/// One line of JSON, without the line feed. Keys: docs/schema/events.schema.json. Infinite numbers
/// are the text "inf".
[[nodiscard]] std::string difference_json(const Difference& difference);

}  // namespace warpcheck::report
