#include "campaign/generate/ordinary_cases.hpp"

#include <utility>

namespace warpcheck::campaign::generate {
namespace {

constexpr std::int64_t kCasesPerDirected = 3;  // one of them is at a number of the contract
constexpr std::int64_t kDirectedCase = 1;
// A case in the domain may cost more than a sampled one that does not shrink, in later attempts far
// more.
constexpr double kTimesBudget = 4.0;
constexpr double kTimesMost = 64.0;

Cost scaled(const Cost& cost, double times) { return {times * cost.work, times * cost.elements}; }

}  // namespace

bool OrdinaryCases::is_directed(std::int64_t index) const {
  return !space_.cases.costs().schema().has_long_cases && space_.cases.max_size() == 0 &&
         !space_.numbers.empty() && index % kCasesPerDirected == kDirectedCase;
}

Sampled OrdinaryCases::draw(std::int64_t index, std::uint64_t bits, int attempt,
                            bool spends) const {
  CaseSampler sampler(space_, bits);
  const bool directed = is_directed(index);
  Sampled one{directed ? sampler.directed(index / kCasesPerDirected) : sampler.any(spends), {}};
  const Cost most = attempt < kAttempts / 2
                        ? scaled(sampler.budget(), directed ? kTimesBudget : 1.0)
                        : scaled(space_.most, kTimesMost);
  one.found = near(one.sampled, most, !directed);
  return one;
}

/// Projects a sampled case onto the domain. A relation between extents may turn a small target
/// into a large case; then halves the target.
std::optional<Case> OrdinaryCases::near(Case target, const Cost& most, bool may_shrink) const {
  constexpr int kHalvings = 6;
  const CostModel& costs = space_.cases.costs();
  for (int i = 0; i <= (may_shrink ? kHalvings : 0); ++i) {
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
