// Findings as JSON values, and back: histories store them, and `exec` reads the findings of a
// program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "device/finding.hpp"
#include "device/unsupported.hpp"

namespace warpcheck::device::encoding {

/// Returns a text as a JSON value. A kernel may print any bytes, but JSON represents only Unicode.
/// Bytes that are not valid UTF-8 become an array of one text, which decodes them as Latin-1.
[[nodiscard]] nlohmann::ordered_json text_json(const std::string& text);

/// The inverse of text_json().
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& value);

[[nodiscard]] nlohmann::ordered_json source_json(const SourcePlace& place);
[[nodiscard]] SourcePlace source_of(const nlohmann::ordered_json& value);

[[nodiscard]] nlohmann::ordered_json finding_json(const Finding& finding);

/// The inverse. Accepts findings of earlier releases. Throws std::runtime_error for an unknown
/// class, nlohmann's exceptions for a missing part.
[[nodiscard]] Finding finding_of(const nlohmann::ordered_json& value);

[[nodiscard]] nlohmann::ordered_json unsupported_json(const Unsupported& what);
[[nodiscard]] Unsupported unsupported_of(const nlohmann::ordered_json& value);

}  // namespace warpcheck::device::encoding
