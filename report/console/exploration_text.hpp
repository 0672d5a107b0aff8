// Console output of `explore`.
#pragma once

#include <string>

#include "report/paint.hpp"
#include "workflows/explore/exploration.hpp"

namespace warpcheck::report {

/// The condition, the failures without each of its parts, and the comparison with the contract.
[[nodiscard]] std::string exploration_text(const workflows::explore::Exploration& exploration,
                                           const Paint& paint);

}  // namespace warpcheck::report
