// Modules with one small kernel.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "ptx/parser.hpp"

namespace warpcheck::ptx::analysis::test {

/// Returns a module with `functions` and one entry "f" with this body.
[[nodiscard]] inline Module module_of(std::string_view body, std::string_view functions = "") {
  return parse(fmt::format(".version 9.0\n.target sm_90\n.address_size 64\n{}\n"
                           ".visible .entry f(.param .u64 p)\n{{\n"
                           ".reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .f32 %f<9>;\n"
                           ".reg .f64 %e<9>;\n.reg .b16 %h<9>;\n.reg .pred %p<9>;\n{}\nret;\n}}\n",
                           functions, body),
               "test.ptx");
}

}  // namespace warpcheck::ptx::analysis::test
