// SARIF 2.1.0 (OASIS), for code scanning: one result per cause. Findings of the same class at the
// same source line are one cause, whatever the number of cases and variants that show it; its
// property "cases" has them all. The fingerprint is of the class, the file and the text of the
// line, so that a result stays the same one while lines move; of a place without a line, of the
// class, the variant and its property. What has no place in a file, a variant whose data could not
// have shown a defect or one that errs more than before, is a notification of the tool: code
// scanning refuses results without a location.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string sarif(const ReportContext& told);

}  // namespace warpcheck::report
