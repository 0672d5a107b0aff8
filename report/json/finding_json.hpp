// A finding as a JSON object, the same in all events.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "campaign/report.hpp"

namespace warpcheck::report {

/// Keys: docs/schema/events.schema.json. `event_kind` is "finding" or "note".
[[nodiscard]] nlohmann::ordered_json finding_json(std::string_view event_kind,
                                                  const campaign::FindingReport& report);

/// A number, or "inf", "-inf" or "nan", which JSON lacks.
[[nodiscard]] nlohmann::ordered_json number_json(double value);

/// The event of a form that the device could not execute.
[[nodiscard]] nlohmann::ordered_json unsupported_json(std::string_view variant,
                                                      std::string_view device,
                                                      const campaign::UnsupportedForm& form);

}  // namespace warpcheck::report
