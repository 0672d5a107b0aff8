// The buffers of a problem's job.
#pragma once

#include "campaign/run/problem.hpp"

namespace warpcheck::campaign::run {

/// Appends the buffers of the operands and workspaces with their roles and sets the number of the
/// output.
void add_buffers(Problem& problem);

}  // namespace warpcheck::campaign::run
