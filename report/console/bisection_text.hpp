// Console output of `bisect`.
#pragma once

#include <string>

#include "report/paint.hpp"
#include "workflows/bisect/bisection.hpp"
#include "workflows/bisect/step.hpp"

namespace warpcheck::report {

/// One line for a commit that was tried: "2a8de7da7a passes  (SUBJECT)".
[[nodiscard]] std::string step_text(const workflows::bisect::Commit& commit,
                                    const workflows::bisect::Step& step);

[[nodiscard]] std::string bisection_text(const workflows::bisect::Bisection& bisection,
                                         const Paint& paint);

}  // namespace warpcheck::report
