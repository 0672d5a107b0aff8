// The parts of the printer.
#pragma once

#include <string>
#include <string_view>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

/// The name of what a symbol stands for. `function` may be null for symbols of the module.
[[nodiscard]] std::string_view name_of(const Module& module, const Function* function,
                                       const Symbol& symbol);

/// "+8", "+-8"; nothing for 0. nvcc writes offsets so, and ptxas takes no other way to subtract.
[[nodiscard]] std::string offset_text(std::int64_t offset);

/// Space, type, name and dimensions, without the end.
void print_declaration(const Variable& variable, std::string& text);

/// The whole declaration with its values, on one line.
void print_variable(const Module& module, const Variable& variable, std::string& text);

}  // namespace warpcheck::ptx
