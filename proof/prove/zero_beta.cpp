// If beta is 0, C is not read: it may hold NaN.
#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {

Gaps prove_zero_beta(const Kernel& kernel) {
  Gaps gaps;
  for (const Access& access : kernel.lifted.accesses) {
    const Buffer* const buffer = access.base ? kernel.domain.buffer_at(*access.base) : nullptr;
    if (access.kind == AccessKind::write || buffer == nullptr || buffer->name != "c") continue;
    Violation violation{access.path};
    violation.formulas.push_back(buffer->is_undefined);
    require_impossible(kernel, violation, "C may be read although beta is 0", access.instruction,
                       gaps);
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
