// Suspects and findings as JSON text, and back, so that what is told of them later is what would
// have been told at once, to the byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/campaign/minimize_and_confirm.hpp"
#include "properties/generate/covering/covering.hpp"

namespace warpcheck::workflows::history {

[[nodiscard]] std::string encoded(const properties::campaign::FindingReport& report);
[[nodiscard]] std::string encoded(const std::vector<properties::campaign::Failure>& failures);
[[nodiscard]] std::string encoded(const properties::generate::Combinations& combinations);

/// The inverses. Throw std::runtime_error with what was found where the text is none of theirs.
[[nodiscard]] properties::campaign::FindingReport decoded_report(std::string_view text);
[[nodiscard]] std::vector<properties::campaign::Failure> decoded_failures(std::string_view text);
[[nodiscard]] properties::generate::Combinations decoded_combinations(std::string_view text);

}  // namespace warpcheck::workflows::history
