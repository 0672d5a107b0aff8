// The "exploration" event of the JSON output.
#pragma once

#include <string>

#include "workflows/explore/exploration.hpp"

namespace warpcheck::report {

/// One line of JSON. Keys: docs/schema/events.schema.json.
[[nodiscard]] std::string exploration_json(const workflows::explore::Exploration& exploration);

}  // namespace warpcheck::report
