// Numbers and maps of errors as JSON values, and back.
#pragma once

#include <nlohmann/json.hpp>

#include "properties/judge/error_map.hpp"

namespace warpcheck::workflows::history {

/// A number; a text where it is an infinity or NaN, which JSON does not have.
[[nodiscard]] nlohmann::ordered_json json_number(double value);
[[nodiscard]] double number_of(const nlohmann::ordered_json& value);

[[nodiscard]] nlohmann::ordered_json map_json(const properties::judge::ErrorMap& map);

/// The inverse. Throws std::runtime_error where the parts do not fit together, nlohmann's
/// exceptions where one is missing.
[[nodiscard]] properties::judge::ErrorMap error_map_of(const nlohmann::ordered_json& value);

}  // namespace warpcheck::workflows::history
