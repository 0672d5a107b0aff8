// The buffers of a problem's job.
#pragma once

#include "properties/run/problem.hpp"

namespace warpcheck::properties::run {

/// Appends the buffers of the operands and workspaces with their roles and sets the number of the
/// output.
void add_buffers(Problem& problem);

}  // namespace warpcheck::properties::run
