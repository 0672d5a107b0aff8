// Parses PTX text into a module.
#pragma once

#include <string>
#include <string_view>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

/// Parses the syntax of PTX ISA 9.0. `file` names the text in errors. The decoder, not the parser,
/// checks whether an instruction exists.
///
/// Throws InputError with every error, located and in the order of the text: wrong syntax,
/// undeclared names, names declared twice, numbers and sizes that do not fit.
[[nodiscard]] Module parse(std::string_view text, std::string file);

}  // namespace warpcheck::ptx
