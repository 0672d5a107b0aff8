// The list of findings at the top of the page, and the controls that filter it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// A page with more findings than this groups them by file, and filters them.
inline constexpr std::size_t kMostUngrouped = 20;

[[nodiscard]] std::size_t number_of_findings(const campaign::CampaignReport& campaign);

/// "finding", "known", "pass", "mistrusted" or "unsupported".
[[nodiscard]] std::string_view verdict_word(const campaign::VariantReport& variant);

/// Controls that scripts make visible. With many findings also a choice of classes and verdicts.
[[nodiscard]] std::string filters(const campaign::CampaignReport& campaign);

/// A link to each finding; empty if there is none. Many findings are grouped by the file of the
/// finding, and ordered by class within a group.
[[nodiscard]] std::string findings_list(const ReportContext& context);

}  // namespace warpcheck::report::html
