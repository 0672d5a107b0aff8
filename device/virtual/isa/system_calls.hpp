// The functions that the CUDA runtime defines for every kernel: vprintf, __assertfail.
#pragma once

#include <string_view>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::isa {

/// Returns null if the name is no such function.
[[nodiscard]] machine::Handler system_call(std::string_view name);

}  // namespace warpcheck::isa
