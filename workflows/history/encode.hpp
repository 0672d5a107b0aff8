// Failures and findings as JSON text, and back. A report from decoded findings is identical, byte
// by byte, to one from the original findings.
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

[[nodiscard]] std::string encoded(const properties::campaign::UnsupportedForm& form);
[[nodiscard]] std::string encoded(
    const std::vector<properties::campaign::CheckedProperty>& checked);

/// The inverses. Throw std::runtime_error if the text is invalid.
[[nodiscard]] properties::campaign::FindingReport decoded_report(std::string_view text);
[[nodiscard]] std::vector<properties::campaign::Failure> decoded_failures(std::string_view text);
[[nodiscard]] properties::campaign::UnsupportedForm decoded_unsupported(std::string_view text);
[[nodiscard]] std::vector<properties::campaign::CheckedProperty> decoded_properties(
    std::string_view text);
[[nodiscard]] properties::generate::Combinations decoded_combinations(std::string_view text);

}  // namespace warpcheck::workflows::history
