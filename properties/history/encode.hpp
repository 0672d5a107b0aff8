// Suspects and findings as JSON text, and back, so that what is told of them later is what would
// have been told at once, to the byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/generate/covering.hpp"
#include "properties/investigate.hpp"

namespace warpcheck::properties {

[[nodiscard]] std::string encoded(const FindingReport& report);
[[nodiscard]] std::string encoded(const std::vector<Suspect>& suspects);
[[nodiscard]] std::string encoded(const Combinations& combinations);

/// The inverses. Throw std::runtime_error with what was found where the text is none of theirs.
[[nodiscard]] FindingReport decoded_report(std::string_view text);
[[nodiscard]] std::vector<Suspect> decoded_suspects(std::string_view text);
[[nodiscard]] Combinations decoded_combinations(std::string_view text);

}  // namespace warpcheck::properties
