// PTX text to module.
#pragma once

#include <string>
#include <string_view>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

/// Parses PTX as the PTX ISA 9.0 defines its syntax. `file` names the text in errors. Whether an
/// instruction exists is not asked here: that is the decoder's to say.
///
/// Throws InputError with every error found, located and in the order of the text: wrong syntax,
/// names that nothing declares, names declared twice, numbers and sizes that do not fit.
[[nodiscard]] Module parse(std::string_view text, std::string file);

}  // namespace warpcheck::ptx
