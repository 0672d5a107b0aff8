// The worst elements of a wrong result as the cells of a table.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "campaign/judge/worst_elements.hpp"

namespace warpcheck::report {

/// The name of an element, the two values, their difference, the bound, and difference / bound.
using ElementRow = std::array<std::string, 6>;

// Not constexpr: the destructor of a string is no constant expression under AddressSanitizer.
inline const ElementRow kElementTitles = {"element",      "got",   "expected",
                                          "|difference|", "bound", "ratio"};

/// A row for each of the worst elements. The bound is "exact" where equality was demanded. "-" is
/// in the place of a difference or ratio that is no number.
[[nodiscard]] std::vector<ElementRow> worst_elements(
    const std::vector<campaign::judge::WrongElement>& worst);

}  // namespace warpcheck::report
