// The functions that CUDA's runtime defines for every kernel (CUDA: vprintf, __assertfail).
#pragma once

#include <string_view>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::isa {

/// Null where the name is none of theirs.
[[nodiscard]] machine::Handler system_call(std::string_view name);

}  // namespace warpcheck::isa
