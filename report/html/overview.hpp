// The top of the page: the result of the campaign, a sentence per finding, a table of variants.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// Links to the anchors "finding-N" and "variant-N", both counted from 1.
[[nodiscard]] std::string overview(const ReportContext& context);

}  // namespace warpcheck::report::html
