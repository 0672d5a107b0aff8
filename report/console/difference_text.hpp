// Console output of `diff`.
#pragma once

#include <string>

#include "report/difference.hpp"
#include "report/paint.hpp"

namespace warpcheck::report {

[[nodiscard]] std::string difference_text(const Difference& difference, const Paint& paint);

}  // namespace warpcheck::report
