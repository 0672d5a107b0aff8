// The syntax of definitions.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "operation/operation.hpp"

namespace warpcheck::operation {

/// Parses statements. Shapes, extents and types are not set. Throws InputError at the first error.
[[nodiscard]] std::vector<Statement> parse_definition(std::string_view definition,
                                                      const Location& where);

}  // namespace warpcheck::operation
