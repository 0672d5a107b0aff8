// Coverage of the kernels' sources as an LCOV tracefile (see geninfo(1)) of lines, branches and
// kernels, for genhtml, lcov and the viewers of code hosts.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

/// One record per file, for all variants together. Variants without coverage add nothing.
[[nodiscard]] std::string lcov(const ReportContext& context);

}  // namespace warpcheck::report
