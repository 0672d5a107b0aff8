// A variant in detail: how its cases spread, what earlier campaigns said of it, its source.
#pragma once

#include <cstddef>
#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// `number` counts from 1: the anchor is "variant-1". Its findings are counted from
/// `first_finding`.
[[nodiscard]] std::string variant_section(const ReportContext& told,
                                          const properties::campaign::VariantReport& variant,
                                          std::size_t number, std::size_t first_finding);

}  // namespace warpcheck::report::html
