// Errors in the user's input.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "campaign/case/case.hpp"

namespace warpcheck::campaign {

/// An error in a field of a case, located at its column in the printed case line.
[[nodiscard]] InputError case_error(const Case& problem, std::string_view field,
                                    std::string message);

}  // namespace warpcheck::campaign
