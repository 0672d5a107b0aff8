// What a wrong answer's pattern says about its cause.
#pragma once

#include <string>

#include "reference/gemm.hpp"

namespace warpcheck::properties::judge {

/// A short sentence: where the wrong elements lie, and a mistake that explains every one of them.
/// "all wrong elements lie in row 64, the last; the last term, k = 16, is missing". A cause is
/// named only if it accounts for every wrong element within the tolerance. Empty where neither can
/// be told.
[[nodiscard]] std::string diagnose(const reference::Gemm& problem,
                                   const reference::Expected& expected,
                                   const reference::Matrix& got, const reference::Matrix* prefill);

}  // namespace warpcheck::properties::judge
