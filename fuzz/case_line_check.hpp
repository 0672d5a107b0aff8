// What must hold of every text that may be case lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/case/case.hpp"

namespace warpcheck::fuzz {

using CasePrinter = std::string (*)(const properties::Case& problem);

/// The text is case lines or an InputError that points into it, and each case survives printing by
/// `print`. Otherwise aborts. The cases; none where there was an error.
std::vector<properties::Case> check_case_lines(std::string_view text, CasePrinter print);

}  // namespace warpcheck::fuzz
