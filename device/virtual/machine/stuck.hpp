// Why a block can go no further.
#pragma once

#include <memory>
#include <vector>

#include "device/finding.hpp"
#include "device/virtual/machine/warp.hpp"

namespace warpcheck::machine {

/// No warp of the block can run and not all have ended: barrier-divergence where threads wait at a
/// barrier or exchange that others have left behind by ending or by waiting elsewhere; deadlock
/// where a barrier waits for more threads than there are to come.
[[nodiscard]] Finding explain_stuck(const Block& block,
                                    const std::vector<std::unique_ptr<Warp>>& warps);

}  // namespace warpcheck::machine
