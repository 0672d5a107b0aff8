// What is wrong, and where, in one sentence that stands above all else.
#pragma once

#include <string>

#include "properties/campaign.hpp"

namespace warpcheck::report::html {

/// "Line 15 of mine.cu stores wrong values in columns 64 to 66, beyond the last multiple of 64: the
/// last term, k = 4, is missing." As HTML; the place is a <code>.
[[nodiscard]] std::string headline(const properties::FindingReport& report);

}  // namespace warpcheck::report::html
