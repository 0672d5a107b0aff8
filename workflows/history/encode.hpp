// Failures and findings as JSON text, and back. A report from decoded findings is identical, byte
// by byte, to one from the original findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/generate/covering/covering.hpp"
#include "campaign/minimize_and_confirm.hpp"

namespace warpcheck::workflows::history {

[[nodiscard]] std::string encoded(const campaign::FindingReport& report);
[[nodiscard]] std::string encoded(const std::vector<campaign::Failure>& failures);
[[nodiscard]] std::string encoded(const campaign::generate::Combinations& combinations);

[[nodiscard]] std::string encoded(const campaign::UnsupportedForm& form);
[[nodiscard]] std::string encoded(const std::vector<campaign::CheckedProperty>& checked);

/// The inverses. Throw std::runtime_error if the text is invalid.
[[nodiscard]] campaign::FindingReport decoded_report(std::string_view text);
[[nodiscard]] std::vector<campaign::Failure> decoded_failures(std::string_view text);
[[nodiscard]] campaign::UnsupportedForm decoded_unsupported(std::string_view text);
[[nodiscard]] std::vector<campaign::CheckedProperty> decoded_properties(std::string_view text);
[[nodiscard]] campaign::generate::Combinations decoded_combinations(std::string_view text);

}  // namespace warpcheck::workflows::history
