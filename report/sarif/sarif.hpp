// SARIF 2.1.0 (OASIS), for code scanning: one result per cause. Findings of the same class at the
// same source line have one cause, for any number of cases and variants; the property "cases" lists
// them all. The fingerprint is computed from the class, the file and the text of the line, so that
// a result stays the same when lines move; without a line, from the class, the variant and the
// property. Mistrusted variants and drifts have no place in a file, and code scanning rejects
// results without a location, so they are notifications of the tool.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string sarif(const ReportContext& context);

}  // namespace warpcheck::report
