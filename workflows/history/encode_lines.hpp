// Executed lines and parts of a program, and coverage, as JSON text, and back.
#pragma once

#include <string>
#include <string_view>

#include "campaign/coverage/executed_lines.hpp"

namespace warpcheck::workflows::history {

[[nodiscard]] std::string encoded(const campaign::coverage::ExecutedParts& parts);
[[nodiscard]] std::string encoded(const campaign::coverage::ExecutedLines& lines);
[[nodiscard]] std::string encoded(const device::Coverage& coverage);

/// The inverses. Throw std::runtime_error if the text is invalid.
[[nodiscard]] campaign::coverage::ExecutedParts decoded_parts(std::string_view encoded);
[[nodiscard]] campaign::coverage::ExecutedLines decoded_lines(std::string_view encoded);
[[nodiscard]] device::Coverage decoded_coverage(std::string_view encoded);

}  // namespace warpcheck::workflows::history
