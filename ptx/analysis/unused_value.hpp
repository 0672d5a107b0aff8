// Loads whose value has no effect in some threads. Triton gives threads copies of an element, if a
// block has more threads than elements: they load it and compute with it, also with the other lanes
// of their warp, and only the store of one thread is executed.
#pragma once

#include <cstddef>

#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

/// True only if the thread, and the lanes of its warp that get the value, execute no store, branch
/// or other effect that depends on the value of the load, an instruction of the body: their guards
/// are false for their `%tid.x`. May also be false in this case.
[[nodiscard]] bool is_value_unused(const Function& function, std::size_t load, unsigned thread);

}  // namespace warpcheck::ptx::analysis
