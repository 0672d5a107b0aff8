// Numbers and error maps as JSON values, and back.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "campaign/judge/error_map.hpp"

namespace warpcheck::workflows::history {

/// Returns a JSON number, or a string for infinities and NaN, which JSON cannot represent.
[[nodiscard]] nlohmann::ordered_json json_number(double value);
[[nodiscard]] double number_of(const nlohmann::ordered_json& value);

[[nodiscard]] nlohmann::ordered_json worst_json(
    const std::vector<campaign::judge::WrongElement>& worst);

/// The elements of the key "worst" of `value`; none if it lacks the key, in a history of old.
[[nodiscard]] std::vector<campaign::judge::WrongElement> worst_of(
    const nlohmann::ordered_json& value);

[[nodiscard]] nlohmann::ordered_json map_json(const campaign::judge::ErrorMap& map);

/// The inverse. Throws std::runtime_error if the parts are inconsistent, nlohmann's exceptions if
/// one is missing.
[[nodiscard]] campaign::judge::ErrorMap error_map_of(const nlohmann::ordered_json& value);

}  // namespace warpcheck::workflows::history
