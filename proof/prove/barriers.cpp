// All threads of a block reach the same barriers in the same iterations, and all lanes of a warp
// the same instructions of the warp.
#include <set>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {
namespace {

/// Two lanes of one warp, or threads of one warpgroup, in the same iteration, of which one executes
/// the instruction.
Violation two_lanes(const Kernel& kernel, const WarpPoint& point, SecondExecution& second) {
  Violation violation{point.path};
  violation.formulas.push_back(in_one_group(kernel, second, point.threads));
  violation.formulas.push_back(all_agree(kernel.terms, second, iterations(kernel, point.loops)));
  return violation;
}

void check_lanes(const Kernel& kernel, const WarpPoint& point, Gaps& gaps) {
  Terms& terms = kernel.terms;
  if (!point.has_all_lanes) {
    gaps.push_back(
        {"this instruction of a warp names some of its lanes: whether these reach it is "
         "not proved",
         point.instruction});
    return;
  }
  const Formula reaches = terms.all(point.path);
  if (terms.level(reaches) == Level::thread) {
    SecondExecution second(terms, Level::block);
    Violation violation = two_lanes(kernel, point, second);
    violation.formulas.push_back(terms.negate(second(reaches)));
    require_impossible(kernel, violation,
                       "a lane may execute this instruction of its warp that another lane does not "
                       "execute in the same iteration",
                       point.instruction, gaps);
  }
  for (const Polynomial& value : point.same) {
    SecondExecution second(terms, Level::block);
    Violation violation = two_lanes(kernel, point, second);
    violation.formulas.push_back(second(reaches));
    violation.formulas.push_back(terms.negate(terms.equal(value, second(value))));
    require_impossible(kernel, violation,
                       "two lanes of a warp may state different addresses or strides of a matrix",
                       point.instruction, gaps);
  }
}

/// All threads of the block agree about a place, in the same iterations. `shared` and `same`: what
/// these threads have in common.
void require_agreement(const Kernel& kernel, const Barrier& place, const char* reason, Gaps& gaps,
                       Level shared = Level::block, const std::vector<SymbolId>& same = {}) {
  Terms& terms = kernel.terms;
  const Formula reaches = terms.all(place.path);
  if (terms.level(reaches) <= shared) return;
  SecondExecution second(terms, shared, same);
  Violation violation{place.path};
  violation.formulas.push_back(all_agree(terms, second, iterations(kernel, place.loops)));
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
  for (const Barrier& barrier : kernel.lifted.cluster_barriers) {
    require_agreement(kernel, barrier,
                      "a thread may reach this barrier that another thread of its cluster does not "
                      "reach in the same iteration",
                      gaps, Level::grid, kernel.domain.clusters);
    if (are_enough(kernel, gaps)) return gaps;
  }
  std::set<std::tuple<std::vector<Formula>, std::vector<std::size_t>, std::vector<Polynomial>, bool,
                      std::int64_t>>
      seen;
  for (const WarpPoint& point : kernel.lifted.warp_points) {
    const bool is_new =
        seen.emplace(point.path, point.loops, point.same, point.has_all_lanes, point.threads)
            .second;
    if (!is_new) continue;
    check_lanes(kernel, point, gaps);
    if (are_enough(kernel, gaps)) return gaps;
  }
  return gaps;
}

}  // namespace warpcheck::proof
