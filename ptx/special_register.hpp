// The special registers (PTX ISA, chapter 10).
#pragma once

#include <string_view>

namespace warpcheck::ptx {

/// Whether PTX has a special register of this name, without its percent sign and with its component
/// if it has any: "tid.x", "laneid", "envreg31".
[[nodiscard]] bool is_special_register(std::string_view name);

}  // namespace warpcheck::ptx
