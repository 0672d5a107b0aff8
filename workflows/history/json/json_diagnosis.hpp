// Diagnoses as JSON values, and back.
#pragma once

#include <nlohmann/json.hpp>

#include "campaign/judge/diagnosis.hpp"

namespace warpcheck::workflows::history {

[[nodiscard]] nlohmann::ordered_json diagnosis_json(const campaign::judge::Diagnosis& diagnosis);

/// The inverse. Also accepts a string, as earlier releases stored it. Throws std::runtime_error for
/// an unknown kind, nlohmann's exceptions for a missing part.
[[nodiscard]] campaign::judge::Diagnosis diagnosis_of(const nlohmann::ordered_json& value);

}  // namespace warpcheck::workflows::history
