// The special registers (PTX ISA, chapter 10).
#pragma once

#include <string_view>

namespace warpcheck::ptx {

/// True if PTX has a special register of this name, which is without the percent sign and with the
/// component if there is one: "tid.x", "laneid", "envreg31".
[[nodiscard]] bool is_special_register(std::string_view name);

}  // namespace warpcheck::ptx
