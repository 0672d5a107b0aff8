// Prints a module as PTX text.
#pragma once

#include <string>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

/// The module as PTX. For every module that parse() returns, parse(to_text(module)) == module.
[[nodiscard]] std::string to_text(const Module& module);

/// One instruction on one line, as a finding prints it:
/// "@%p1 ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4+16]"
[[nodiscard]] std::string to_text(const Module& module, const Function& function,
                                  const Instruction& instruction);

}  // namespace warpcheck::ptx
