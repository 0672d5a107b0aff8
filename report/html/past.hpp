// A variant across campaigns.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// The campaigns of a history, the last first, this one included; nothing where there is no earlier
/// one.
[[nodiscard]] std::string past_table(const ReportContext& told,
                                     const properties::campaign::VariantReport& variant);

}  // namespace warpcheck::report::html
