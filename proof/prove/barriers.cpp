// All threads of a block reach the same barriers, in the same iterations.
#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {
namespace {

/// All threads of the block agree about a place, in the same iterations.
void require_agreement(const Kernel& kernel, const Barrier& place, const char* reason, Gaps& gaps) {
  Terms& terms = kernel.terms;
  const Formula reaches = terms.all(place.path);
  if (terms.level(reaches) < Level::thread) return;
  SecondExecution second(terms, Level::block);
  Violation violation{place.path};
  std::vector<SymbolId> iterations;
  for (const std::size_t loop : place.loops) {
    iterations.push_back(*kernel.lifted.loops[loop].iteration);
  }
  violation.formulas.push_back(all_agree(terms, second, iterations));
  violation.formulas.push_back(terms.negate(second(reaches)));
  require_impossible(kernel, violation, reason, place.instruction, gaps);
}

}  // namespace

/// The path of a barrier in a loop lacks conditions of earlier iterations. Threads that agree in
/// each iteration whether there is another one reach the same iterations.
Gaps prove_barriers(const Kernel& kernel) {
  Gaps gaps;
  for (const auto& [block, barrier] : kernel.lifted.barriers) {
    require_agreement(kernel, barrier,
                      "a thread may reach this barrier that another thread of its block does not "
                      "reach in the same iteration",
                      gaps);
    if (are_enough(kernel, gaps)) return gaps;
  }
  for (const auto& [loop, repetition] : kernel.lifted.repetitions) {
    require_agreement(kernel, repetition,
                      "a thread may leave this loop, which has a barrier, in an earlier iteration "
                      "than another thread of its block",
                      gaps);
    if (are_enough(kernel, gaps)) return gaps;
  }
  return gaps;
}

}  // namespace warpcheck::proof
