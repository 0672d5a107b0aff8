// The names behind indices, for the printer.
#pragma once

#include <string>
#include <string_view>

#include "device/virtual/ptx/module.hpp"

namespace warpcheck::ptx {

/// The name of what a symbol stands for. `function` may be null for symbols of the module.
[[nodiscard]] std::string_view name_of(const Module& module, const Function* function,
                                       const Symbol& symbol);

/// "+8", "+-8"; nothing for 0. nvcc writes offsets so, and ptxas takes no other way to subtract.
[[nodiscard]] std::string offset_text(std::int64_t offset);

}  // namespace warpcheck::ptx
