// The defect and its place in one sentence, the headline of a finding.
#pragma once

#include <string>
#include <string_view>

#include "campaign/report.hpp"

namespace warpcheck::report::html {

/// "Line 15 of mine.cu stores wrong values in columns 64 to 66, beyond the last multiple of 64: the
/// last term, k = 4, is missing." As HTML; the place is a <code>.
[[nodiscard]] std::string headline(const campaign::FindingReport& report);

/// The class of a finding as HTML; "known: race" in another colour if a gate's policy accepts it.
[[nodiscard]] std::string class_label(const campaign::FindingReport& report);

/// The verdict of a variant in an element of its colour; "known: race" as above.
[[nodiscard]] std::string verdict_label(std::string_view tag,
                                        const campaign::VariantReport& variant);

}  // namespace warpcheck::report::html
