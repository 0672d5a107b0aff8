// A finding as an article: what is wrong and where; its source, map or two accesses; how to see it
// again.
#pragma once

#include <cstddef>
#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// `number` counts the findings of the page from 1: its anchor is "finding-1".
[[nodiscard]] std::string finding_article(const ReportContext& told,
                                          const properties::campaign::VariantReport& variant,
                                          const properties::campaign::FindingReport& report,
                                          std::size_t number);

}  // namespace warpcheck::report::html
