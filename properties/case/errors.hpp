// Errors in what a user asked.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties {

/// In a field of a case: located at its column in the case's line as it is printed.
[[nodiscard]] InputError case_error(const Case& problem, std::string_view field,
                                    std::string message);

}  // namespace warpcheck::properties
