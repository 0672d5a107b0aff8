// The "mutant" and "mutation-score" events of the JSON output.
#pragma once

#include <string>

#include "workflows/mutate/mutate.hpp"

namespace warpcheck::report {

/// One line of JSON per mutant, then one with the score. Keys: docs/schema/events.schema.json.
[[nodiscard]] std::string mutation_json(const workflows::mutate::MutationReport& report);

}  // namespace warpcheck::report
