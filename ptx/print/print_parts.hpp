// Helper functions of the printer.
#pragma once

#include <string>
#include <string_view>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

/// The name of the symbol's entity. `function` may be null for symbols of the module.
[[nodiscard]] std::string_view name_of(const Module& module, const Function* function,
                                       const Symbol& symbol);

/// "+8", "+-8", or "" for 0, as nvcc writes offsets; ptxas accepts no other form of subtraction.
[[nodiscard]] std::string offset_text(std::int64_t offset);

/// Prints space, type, name and dimensions, without the semicolon.
void print_declaration(const Variable& variable, std::string& text);

/// Prints the complete declaration with its values, on one line.
void print_variable(const Module& module, const Variable& variable, std::string& text);

}  // namespace warpcheck::ptx
