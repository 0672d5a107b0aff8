// Memory that processes share.
#pragma once

#include <cstdint>

#include "workflows/exec/runtime/runtime.hpp"

namespace warpcheck::workflows::exec {

/// The allocation at the address, if it was exported, is freed: no process opens it any more.
void end_export(Runtime& runtime, std::uint64_t address);

}  // namespace warpcheck::workflows::exec
