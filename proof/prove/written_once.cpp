// Each element of an output is written by at most one store of one thread.
#include <fmt/format.h>

#include "proof/prove/pairs.hpp"

namespace warpcheck::proof {

/// That no two threads write an element follows from the absence of races, unless they do so by
/// atomic operations.
Gaps prove_written_once(const Kernel& kernel) {
  for (const Access& access : kernel.lifted.accesses) {
    if (access.kind != AccessKind::atomic || access.is_shared()) continue;
    return {{"atomic operations may write an element several times", access.instruction}};
  }
  return global_pairs(kernel, PairKind::same_thread);
}

}  // namespace warpcheck::proof
