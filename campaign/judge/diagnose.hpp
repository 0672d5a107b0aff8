// Diagnosis of a wrong result.
#pragma once

#include "campaign/judge/diagnosis.hpp"
#include "campaign/judge/prefill.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::campaign::judge {

/// Returns the pattern of the wrong elements and a mistake that explains every one of them within
/// the tolerance.
[[nodiscard]] Diagnosis diagnose(const reference::Gemm& problem,
                                 const reference::Expected& expected, const reference::Matrix& got,
                                 const Prefill& prefill);

}  // namespace warpcheck::campaign::judge
