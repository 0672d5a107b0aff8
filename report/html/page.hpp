// A campaign as one HTML file that needs no network and no other file. Without scripts, only
// convenience is lost.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string html_page(const ReportContext& context);

}  // namespace warpcheck::report
