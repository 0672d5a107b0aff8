#include "campaign/generate/ordinary_cases.hpp"

#include <utility>

namespace warpcheck::campaign::generate {
namespace {

// In later attempts a case in the domain may cost far more than a sampled one.
constexpr double kTimesMost = 64.0;

Cost scaled(const Cost& cost, double times) { return {times * cost.work, times * cost.elements}; }

}  // namespace

Sampled OrdinaryCases::draw(std::uint64_t bits, int attempt, bool spends) const {
  CaseSampler sampler(space_, bits);
  Sampled one{sampler.any(spends), {}};
  const Cost most = attempt < kAttempts / 2 ? sampler.budget() : scaled(space_.most, kTimesMost);
  one.found = near(one.sampled, most);
  return one;
}

/// Projects a sampled case onto the domain. A relation between extents may turn a small target
/// into a large case; then halves the target.
std::optional<Case> OrdinaryCases::near(Case target, const Cost& most) const {
  constexpr int kHalvings = 6;
  const CostModel& costs = space_.cases.costs();
  for (int i = 0; i <= kHalvings; ++i) {
    auto found = space_.cases.solver().project(target);
    if (!found) return std::nullopt;
    if (costs.ordinary_cost(*found).is_within(most)) return found;
    for (const std::size_t extent : space_.extents) {
      const CaseField& field = costs.schema().fields[extent];
      field.set(target, (field.get(target) + 1) / 2);
    }
    reset_short_strides(costs.contract(), target);
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign::generate
