// C++ names of mangled names.
#pragma once

#include <string>

namespace warpcheck {

/// The C++ name of a mangled name, "void ns::sgemm<128>(float const*, int)". Any other name is
/// returned unchanged.
[[nodiscard]] std::string demangle(const std::string& name);

}  // namespace warpcheck
