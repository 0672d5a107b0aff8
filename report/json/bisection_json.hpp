// The "bisection" event of the JSON output.
#pragma once

#include <string>

#include "workflows/bisect/bisection.hpp"

namespace warpcheck::report {

/// One line of JSON, without the line feed. Keys: docs/schema/events.schema.json.
[[nodiscard]] std::string bisection_json(const workflows::bisect::Bisection& bisection);

}  // namespace warpcheck::report
