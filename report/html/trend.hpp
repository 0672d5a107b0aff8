// A variant over several campaigns.
#pragma once

#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// A table of the campaigns of a history, this one included, the latest first; empty if there is no
/// earlier one.
[[nodiscard]] std::string trend_table(const ReportContext& context,
                                      const campaign::VariantReport& variant);

}  // namespace warpcheck::report::html
