// Checks that every text is valid case lines or is rejected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"

namespace warpcheck::fuzz {

using CasePrinter = std::string (*)(const campaign::Case& problem);

/// Returns the cases of the text, or none if it is rejected. Aborts if the InputError does not
/// point into the text, or if a case does not survive printing by `print`.
std::vector<campaign::Case> check_case_lines(std::string_view text, CasePrinter print);

}  // namespace warpcheck::fuzz
