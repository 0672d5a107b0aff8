// GitLab Code Quality: a JSON array with one issue per cause, for the widget of a merge request.
// The fingerprints are those of SARIF. The format has no place for problems of the run itself, so
// that a variant that is mistrusted or that the device cannot execute is an issue of its source.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string gitlab(const ReportContext& context);

}  // namespace warpcheck::report
