// Memory that processes share.
#pragma once

#include <cstdint>

#include "runtime/runtime.hpp"

namespace warpcheck::runtime {

/// The allocation at the address, if it was exported, is freed: no process opens it any more.
void end_export(Runtime& runtime, std::uint64_t address);

}  // namespace warpcheck::runtime
