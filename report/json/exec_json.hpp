// Events of `warpcheck exec` as JSON Lines.
#pragma once

#include <nlohmann/json.hpp>

#include "workflows/exec/events/event.hpp"

namespace warpcheck::report {

/// Keys: docs/schema/events.schema.json. `event_kind` is "finding" or "note".
[[nodiscard]] nlohmann::ordered_json exec_json(std::string_view event_kind,
                                               const workflows::exec::FindingEvent& event);
[[nodiscard]] nlohmann::ordered_json exec_json(const workflows::exec::UnsupportedEvent& event);

}  // namespace warpcheck::report
