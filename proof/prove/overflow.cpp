// Every narrow value that is compared, extended, divided or shifted right is in the range of its
// type.
#include <fmt/format.h>

#include <set>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {

Gaps prove_overflow(const Kernel& kernel) {
  Gaps gaps;
  std::set<std::tuple<Polynomial, std::int64_t, std::vector<Formula>>> seen;
  for (const Observation& observation : kernel.lifted.observations) {
    if (!seen.emplace(observation.value, observation.least, observation.path).second) continue;
    Violation violation{observation.path, {}, true};
    violation.formulas.push_back(kernel.terms.negate(
        kernel.terms.within(observation.value, observation.least, observation.most)));
    require_impossible(
        kernel, violation,
        fmt::format("the value {} may leave the range [{}, {}] of its type",
                    kernel.terms.text(observation.value), observation.least, observation.most),
        observation.instruction, gaps);
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
