// Console output of `init`.
#pragma once

#include <string>

#include "workflows/init/init.hpp"

namespace warpcheck::report {

/// A line for each contract: the result of its check, or the reason why there is none; then the
/// total.
[[nodiscard]] std::string init_text(const workflows::init::InitReport& report,
                                    const std::string& target);

}  // namespace warpcheck::report
