// Diagnosis of a wrong result.
#pragma once

#include "properties/judge/diagnosis.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::properties::judge {

/// Returns the pattern of the wrong elements and a mistake that explains every one of them within
/// the tolerance. `prefill`, if known, is the content of D before the launch.
[[nodiscard]] Diagnosis diagnose(const reference::Gemm& problem,
                                 const reference::Expected& expected, const reference::Matrix& got,
                                 const reference::Matrix* prefill);

}  // namespace warpcheck::properties::judge
