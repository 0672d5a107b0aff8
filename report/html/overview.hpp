// The top of the page: what came of the campaign, its findings in a word each, its variants.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// Anchors are "finding-N", counted through the page from 1, and "variant-N".
[[nodiscard]] std::string overview(const ReportContext& told);

}  // namespace warpcheck::report::html
