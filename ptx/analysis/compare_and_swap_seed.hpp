// Loads whose value is only a guess: a compare-and-swap compares it with memory, and a loop
// discards it if they differ. Such a load does not need to be atomic (CUDA C++ Programming Guide,
// Atomic Functions).
#pragma once

#include <cstddef>

#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

/// True only if no result of the function depends on the value of the load, an instruction of its
/// body, unless a compare-and-swap has found that value in memory. May also be false in this case.
[[nodiscard]] bool only_seeds_compare_and_swap(const Function& function, std::size_t load);

}  // namespace warpcheck::ptx::analysis
