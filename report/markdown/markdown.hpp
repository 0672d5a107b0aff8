// A campaign in GitHub's Markdown, for the summary of a job: a table of the variants that did not
// pass, a collapsed table of those that passed, and each finding as a collapsed block. If the
// findings exceed GitHub's limit for a step (1 MiB), the last ones are only counted.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string markdown(const ReportContext& context);

}  // namespace warpcheck::report
