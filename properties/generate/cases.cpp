#include "properties/generate/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "properties/generate/case_sampler.hpp"
#include "properties/generate/covering_cases.hpp"
#include "properties/generate/grid_limits.hpp"
#include "properties/generate/int32_overflow_strides.hpp"
#include "properties/generate/rng.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;

constexpr std::size_t kRound = 100;  // cases in which each limit of the grid is passed once ...
constexpr std::size_t kApart = 11;   // ... at the 11th, the 22nd ...
constexpr std::size_t kFar = 5;      // ... and lines lie far apart at the 5th, the 16th ...

constexpr std::size_t kPlanned = 2000;   // cases among which combinations are seen to
constexpr double kMostCaseWork = 1.2e7;  // multiply-adds of a case that was chosen for them
constexpr double kMostCaseElements = 6e5;
constexpr int kCombinations = 8;  // tried for one case

}  // namespace

CaseGenerator::CaseGenerator(const Contract& contract, std::uint64_t seed,
                             bool int32_overflow_strides, std::int64_t max_size)
    : contract_(contract),
      seed_(mixed(seed, mixed(contract.name.size(), contract.name))),
      max_size_(max_size),
      tiles_(tiles(contract)),
      solver_(contract) {
  if (max_size_ == 0) {
    beyond_grid_limits_ = beyond_grid_limits(contract, solver_);
    for (Case& walking : grid_stride_cases(contract, solver_)) {
      beyond_grid_limits_.push_back(std::move(walking));
    }
    if (int32_overflow_strides) far_words_ = far_words(contract);
  }
}

CaseGenerator::~CaseGenerator() = default;

GeneratedCase CaseGenerator::draw(std::int64_t index) const {
  const auto at = static_cast<std::size_t>(index);
  if (at >= kPlanned) return unplanned(index);
  const std::lock_guard lock(planning_);
  while (planned_.size() <= at) plan_next();
  return planned_[at];
}

Combinations CaseGenerator::combinations(std::int64_t cases) const {
  const std::lock_guard lock(planning_);
  const std::size_t planned = std::min(static_cast<std::size_t>(cases), kPlanned);
  while (planned_.size() < planned) plan_next();
  return covering().combinations();
}

Row CaseGenerator::levels(const Case& problem) const {
  const std::lock_guard lock(planning_);
  return covering().row(problem);
}

CoveringCases& CaseGenerator::covering() const {
  if (!covering_) {
    const auto wish = [&](std::uint64_t seed) {
      return CaseSampler(contract_, tiles_, mixed(seed_, seed), max_size_).drawn();
    };
    const auto nearest = [&](Case wanted) -> std::optional<Case> {
      wanted = normalized(contract_, std::move(wanted));
      reset_invalid_strides(contract_, wanted);
      auto found = this->nearest(wanted);
      const bool affordable = found && tiled_work(tiles_, *found) <= kMostCaseWork &&
                              elements(*found) <= kMostCaseElements;
      const bool wanted_so =
          max_size_ == 0 || std::max({wanted.m, wanted.n, wanted.k}) <= max_size_;
      return affordable && wanted_so ? found : std::nullopt;
    };
    covering_ = std::make_unique<CoveringCases>(contract_, tiles_, nearest, wish);
  }
  return *covering_;
}

/// Three of four cases are chosen for the pairs until each was met, then two of four for the
/// triples; the others, as they are drawn, meet their share.
void CaseGenerator::plan_next() const {
  CoveringCases& plan = covering();
  const std::size_t index = planned_.size();
  GeneratedCase drawn = unplanned(static_cast<std::int64_t>(index));
  const bool turn = plan.pairs_complete() ? index / 2 % 2 == 0 : index % 4 != 3;
  if (turn && !extreme(index) && !plan.complete()) {
    const std::uint64_t seed = mixed(seed_, ~static_cast<std::uint64_t>(index));
    for (int i = 0; i < kCombinations && !plan.complete(); ++i) {
      auto chosen = plan.next(drawn.problem, mixed(seed, static_cast<std::uint64_t>(i)));
      if (!chosen) continue;
      drawn.problem = std::move(*chosen);
      break;
    }
  }
  plan.chosen(drawn.problem);
  planned_.push_back(std::move(drawn));
}

/// Whether the case passes a limit of the grid or has lines far apart.
bool CaseGenerator::extreme(std::size_t index) const {
  const std::size_t in_round = index % kRound;
  const std::size_t number = in_round / kApart;
  return (in_round % kApart == 0 && number > 0 && number <= beyond_grid_limits_.size()) ||
         (in_round % kApart == kFar && number < far_words_.size());
}

GeneratedCase CaseGenerator::unplanned(std::int64_t index) const {
  const std::uint64_t seed = mixed(seed_, static_cast<std::uint64_t>(index));
  if (const auto at = static_cast<std::size_t>(index); extreme(at)) {
    const std::size_t number = at % kRound / kApart;
    if (at % kRound % kApart == 0) {
      GeneratedCase drawn{beyond_grid_limits_[number - 1], {}};
      drawn.problem.seed = seed % 1'000'000;
      return drawn;
    }
    auto far = int32_overflow_strides(contract_, solver_, far_words_[number], seed);
    if (far) return {normalized(contract_, std::move(*far)), {}};
  }
  return ordinary(seed);
}

/// The multiple of a tile that is nearest to a small extent may be 0, which asks nothing of a
/// kernel: then a wish for a larger extent is granted.
std::optional<Case> CaseGenerator::nearest(Case wish) const {
  constexpr int kDoublings = 12;
  std::optional<Case> found = solver_.nearest(wish);
  for (std::int64_t Case::*extent : {&Case::m, &Case::n, &Case::k}) {
    Case larger = wish;
    std::optional<Case> grown = found;
    for (int i = 0; i < kDoublings && grown && (*grown).*extent == 0 && larger.*extent > 0; ++i) {
      larger.*extent *= 2;
      grown = solver_.nearest(larger);
    }
    if (!grown || (*grown).*extent == 0) continue;
    wish = larger;
    found = grown;
  }
  return found;
}

GeneratedCase CaseGenerator::ordinary(std::uint64_t seed) const {
  GeneratedCase drawn;
  for (std::uint64_t attempt = 0; attempt < 4; ++attempt) {
    CaseSampler wish(contract_, tiles_, mixed(seed, attempt), max_size_);
    Case wanted = wish.drawn();
    const std::optional<std::string> broken = violated(contract_, wanted);
    if (attempt == 0) drawn.excluded_by = broken;
    if (!broken) {
      drawn.problem = std::move(wanted);
      return drawn;
    }
    wish.shrink_to_budget(wanted, {solver_.least(0), solver_.least(1), solver_.least(2)});
    // Ties may make a large case of a small wish; then wish for less.
    std::optional<Case> found;
    for (int halvings = 0; halvings < 6; ++halvings) {
      reset_invalid_strides(contract_, wanted);
      found = nearest(wanted);
      if (!found || wish.affordable(*found)) break;
      wanted.m = (wanted.m + 1) / 2;
      wanted.n = (wanted.n + 1) / 2;
      wanted.k = (wanted.k + 1) / 2;
    }
    if (!found) continue;
    drawn.problem = std::move(*found);
    return drawn;
  }
  std::vector<std::string> requirements;
  for (const contract::Expression& expression : contract_.requires_) {
    requirements.push_back(expression.text());
  }
  throw InputError(Diagnostic{contract_.where,
                              fmt::format("{}: found no case that satisfies `requires`: {}",
                                          contract_.name, fmt::join(requirements, " and ")),
                              {}});
}

}  // namespace warpcheck::properties::generate
