// A variant in detail: the distribution of its cases, its earlier campaigns, its source.
#pragma once

#include <cstddef>
#include <string>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// `number` counts from 1; the anchor is "variant-1". The first finding of the variant has the
/// number `first_finding` on the page.
[[nodiscard]] std::string variant_section(const ReportContext& context,
                                          const campaign::VariantReport& variant,
                                          std::size_t number, std::size_t first_finding);

}  // namespace warpcheck::report::html
