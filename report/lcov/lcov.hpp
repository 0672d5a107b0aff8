// Coverage of the kernels' sources as a tracefile of LCOV (see geninfo(1)): lines, branches and
// kernels, which genhtml, lcov and the code hosts' viewers read.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

/// A record for each file, of all variants together. Variants whose coverage is not known add
/// nothing.
[[nodiscard]] std::string lcov(const ReportContext& told);

}  // namespace warpcheck::report
