// A finding as an article: a sentence with the defect and its place; its source, error map or two
// accesses; the command that replays it.
#pragma once

#include <cstddef>
#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// `number` counts the findings of the page from 1; the anchor is "finding-1".
[[nodiscard]] std::string finding_article(const ReportContext& context,
                                          const campaign::VariantReport& variant,
                                          const campaign::FindingReport& report,
                                          std::size_t number);

}  // namespace warpcheck::report::html
