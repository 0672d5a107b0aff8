// All threads of a block reach the same barriers, in the same iterations.
#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {

Gaps prove_barriers(const Kernel& kernel) {
  Gaps gaps;
  Terms& terms = kernel.terms;
  for (const auto& [block, barrier] : kernel.lifted.barriers) {
    const Formula reaches = terms.all(barrier.path);
    if (terms.level(reaches) < Level::thread) continue;
    SecondExecution second(terms, Level::block);
    Violation violation{barrier.path};
    std::vector<SymbolId> iterations;
    for (const std::size_t loop : barrier.loops) {
      iterations.push_back(*kernel.lifted.loops[loop].iteration);
    }
    violation.formulas.push_back(all_agree(terms, second, iterations));
    violation.formulas.push_back(terms.negate(second(reaches)));
    require_impossible(kernel, violation,
                       "a thread may reach this barrier that another thread of its block does not "
                       "reach in the same iteration",
                       barrier.instruction, gaps);
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
