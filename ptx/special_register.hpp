// The special registers (PTX ISA, chapter 10).
#pragma once

#include <string_view>

namespace warpcheck::ptx {

/// True if PTX has a special register of this name. The name has no percent sign, and includes the
/// component if there is one: "tid.x", "laneid", "envreg31".
[[nodiscard]] bool is_special_register(std::string_view name);

}  // namespace warpcheck::ptx
