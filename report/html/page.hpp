// A campaign as one HTML file that needs nothing else: no network, no other file; and without
// scripts nothing but comfort is missing.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string html_page(const ReportContext& told);

}  // namespace warpcheck::report
