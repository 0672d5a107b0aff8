// A campaign in the Markdown of GitHub, for a job's summary: what did not pass as a table, what
// passed as one that is opened on demand, and each finding as a block that is opened likewise.
// Where all findings would be more than GitHub takes of a step (1 MiB), the last ones are only
// counted.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string markdown(const ReportContext& told);

}  // namespace warpcheck::report
