// Console output of `bisect`.
#pragma once

#include <string>

#include "report/bisection.hpp"
#include "report/paint.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string bisection_text(const Bisection& bisection, const Paint& paint);

}  // namespace warpcheck::report
