// Proofs in the page: those of one variant, and the results of `prove`.
#pragma once

#include <string>
#include <string_view>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// The properties of a variant with their statements or the reasons; empty: it has no proofs.
[[nodiscard]] std::string proof_list(const ReportContext& context, std::string_view variant);

/// The verdict of `prove`, and the proofs of each variant.
[[nodiscard]] std::string proof_overview(const ReportContext& context);

}  // namespace warpcheck::report::html
