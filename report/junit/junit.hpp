// JUnit XML for GitLab and Jenkins: one test case per property of each variant. Its name is the
// same whether it passes or fails, because both compare runs by names. The message of a failure has
// the place of the first finding; its text is all findings as printed on the console. A property
// without cases is skipped. If a variant is mistrusted, its first test case fails, as for the exit
// status.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string junit(const ReportContext& context);

}  // namespace warpcheck::report
