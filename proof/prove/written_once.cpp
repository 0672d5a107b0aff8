// Each element of an output is written by at most one store of one thread.
#include <fmt/format.h>

#include "proof/prove/pairs.hpp"

namespace warpcheck::proof {

/// That no two threads write an element follows from the absence of races, unless they do so by
/// atomic operations, or in an order that the proof of races does not follow.
Gaps prove_written_once(const Kernel& kernel) {
  for (const Access& access : kernel.lifted.accesses) {
    if (access.kind == AccessKind::read || access.is_shared() || !access.base) continue;
    const Buffer* const buffer = kernel.domain.buffer_at(*access.base);
    if (buffer == nullptr || !buffer->is_output) continue;
    if (buffer->is_written_before) {
      return {{fmt::format("an earlier launch writes {}, too", buffer->name), access.instruction}};
    }
    if (access.kind != AccessKind::atomic) continue;
    return {
        {fmt::format("an atomic operation updates {}, so that an element may be updated several "
                     "times",
                     buffer->name),
         access.instruction}};
  }
  Gaps gaps;
  if (kernel.lifted.unordered) gaps = global_pairs(kernel, PairKind::two_writers);
  for (Gap& gap : global_pairs(kernel, PairKind::same_thread)) gaps.push_back(std::move(gap));
  return gaps;
}

}  // namespace warpcheck::proof
