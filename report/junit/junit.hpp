// JUnit's XML as GitLab and Jenkins read it: one test case per variant, under the same name whether
// it passes or fails, since both compare a run with the one before by names. The failure has the
// first finding's place and message, and as its text all findings as the console has them. A
// variant of which nothing was asked is skipped, and one whose data could not have shown a defect
// fails, as the command does.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string junit(const ReportContext& told);

}  // namespace warpcheck::report
