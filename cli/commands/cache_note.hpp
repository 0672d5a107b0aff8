// A note for users whose cache of compiled kernels cannot be written.
#pragma once

#include <span>

#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {

/// If a target was compiled outside contract::cache_folder(), prints the reason and the other folder
/// to the standard error.
void print_cache_note(std::span<const workflows::targets::Target> targets);

}  // namespace warpcheck::cli
