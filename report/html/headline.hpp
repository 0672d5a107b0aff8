// What is wrong, and where, in one sentence that stands above all else.
#pragma once

#include <string>
#include <string_view>

#include "properties/campaign/campaign.hpp"

namespace warpcheck::report::html {

/// "Line 15 of mine.cu stores wrong values in columns 64 to 66, beyond the last multiple of 64: the
/// last term, k = 4, is missing." As HTML; the place is a <code>.
[[nodiscard]] std::string headline(const properties::campaign::FindingReport& report);

/// The class of a finding, as HTML; of one that a gate's policy knows "known: race", in another
/// colour.
[[nodiscard]] std::string class_label(const properties::campaign::FindingReport& report);

/// The verdict on a variant in an element of its colour, likewise.
[[nodiscard]] std::string verdict_label(std::string_view tag,
                                        const properties::campaign::VariantReport& variant);

}  // namespace warpcheck::report::html
