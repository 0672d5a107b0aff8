// What cases executed, beside the lines of the source.
#pragma once

#include <string>

#include "properties/campaign/campaign.hpp"
#include "report/html/source.hpp"

namespace warpcheck::report::html {

/// Of a file: how often warps executed each line, "1,024", and of a line with branches how many of
/// their ways were gone, "1,024 3/4". No lines where nothing was counted of the file.
[[nodiscard]] Coverage line_coverage(const properties::campaign::VariantReport& variant,
                                     const std::string& file);

/// A sentence with the shares, and how the numbers beside the lines are to be read; empty where
/// nothing was counted.
[[nodiscard]] std::string coverage_sentence(const properties::campaign::VariantReport& variant);

}  // namespace warpcheck::report::html
