// Every loop ends: the number of its last iteration is known, or limited.
#include <algorithm>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {

Gaps prove_ends(const Kernel& kernel) {
  Gaps gaps;
  const Flow& flow = kernel.lifted.flow;
  for (std::size_t loop = 0; loop < flow.loops.size(); ++loop) {
    if (kernel.lifted.loops[loop].ends) continue;
    const auto wait =
        std::find_if(kernel.lifted.waits.begin(), kernel.lifted.waits.end(),
                     [&](const Wait& one) { return flow.loops[loop].blocks.contains(one.block); });
    if (wait != kernel.lifted.waits.end()) continue;
    gaps.push_back(
        {"the number of iterations of this loop has no limit that is found: it depends on "
         "data, or the counter does not approach its limit",
         flow.blocks[flow.loops[loop].header].begin});
  }
  for (const Wait& wait : kernel.lifted.waits) {
    gaps.push_back({wait.reason, wait.instruction});
  }
  return gaps;
}

}  // namespace warpcheck::proof
