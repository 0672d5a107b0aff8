#include "campaign/generate/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include "campaign/case/case_model.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/covering/covering_cases.hpp"
#include "campaign/generate/empty_domain.hpp"
#include "campaign/generate/grid_limits.hpp"
#include "campaign/generate/int32_overflow_strides.hpp"
#include "campaign/generate/sampling/case_sampler.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;

// Every hundred has one case for each limit of the grid, at the 11th, the 22nd ... case, one for
// each operand with an int32 overflow, at the 5th, the 16th ... case, and long cases at the 2nd,
// 8th, 13th, 19th ... case. The data of the 9th, the 20th, the 31st ... case have a structure.
constexpr std::size_t kRound = 100;
constexpr std::size_t kApart = 11;
constexpr std::size_t kFirstOverflow = 5;
constexpr std::size_t kFirstLong = 2;
constexpr std::size_t kSecondLong = 8;
constexpr std::size_t kStructured = 9;
// One of 22 cases has two or three tiles along m and n, and more steps along k.
constexpr std::size_t kDeep = 6;
constexpr std::size_t kEmpty = 50;  // the case without rows or columns

constexpr std::size_t kPlanned = 2000;  // cases among which some cover combinations
constexpr int kCombinations = 8;        // combinations tried for one case

/// Returns the number of a long case in its hundred; empty if the case is none.
std::optional<std::size_t> long_slot(std::size_t index) {
  const std::size_t number = index % kRound / kApart;
  const std::size_t within = index % kRound % kApart;
  if (within != kFirstLong && within != kSecondLong) return std::nullopt;
  const std::size_t slot = 2 * number + (within == kSecondLong ? 1 : 0);
  return slot < LongCases::kSlots ? std::optional(slot) : std::nullopt;
}

}  // namespace

CaseGenerator::CaseGenerator(const Contract& contract, std::uint64_t seed,
                             bool int32_overflow_strides, std::int64_t max_size,
                             const SizeLimits& limits)
    : CaseGenerator(contract, nullptr, seed, int32_overflow_strides, max_size, limits) {}

CaseGenerator::CaseGenerator(const contract::Variant& variant, std::uint64_t seed,
                             bool int32_overflow_strides, std::int64_t max_size,
                             const SizeLimits& limits)
    : CaseGenerator(variant.contract, &variant, seed, int32_overflow_strides, max_size, limits) {}

CaseGenerator::CaseGenerator(const Contract& contract, const contract::Variant* variant,
                             std::uint64_t seed, bool int32_overflow_strides, std::int64_t max_size,
                             const SizeLimits& limits)
    : contract_(contract),
      seed_(mixed(seed, mixed(contract.name.size(), contract.name))),
      max_size_(max_size),
      limits_(limits),
      tiles_(tiles(contract)),
      schema_(case_schema(contract)),
      solver_(contract, kMostOperandBytes, domain_rules(contract, limits)),
      least_case_(least_case()),
      least_(least_case_ ? cost(tiles_, *least_case_) : Cost{}),
      budgets_(budgets(tiles_, least_)),
      long_cases_(tiles_,
                  variant != nullptr ? landmarks(*variant, tiles_) : landmarks(contract, tiles_),
                  seed_),
      launch_cases_(contract) {
  require_launches(contract);
  require_a_case();
  if (max_size_ == 0) {
    grid_cases_ = beyond_grid_limits(contract, solver_);
    for (Case& grid_stride : grid_stride_cases(contract, solver_)) {
      grid_cases_.push_back(std::move(grid_stride));
    }
    if (int32_overflow_strides) {
      overflow_operands_ = int32_overflow_operands(contract);
      sparse_solver_.emplace(contract, static_cast<std::int64_t>(device::kMostBufferBytes),
                             domain_rules(contract, limits));
    }
  }
}

CaseGenerator::~CaseGenerator() = default;

/// Returns the least case with rows, columns and terms, as far as the domain has such cases.
std::optional<Case> CaseGenerator::least_case() const {
  Case target;
  target.variant = contract_.name;
  return solver_.project(target);
}

CaseSampler CaseGenerator::sampler(std::uint64_t seed, bool spends) const {
  return {contract_, tiles_, seed, {max_size_, least_, budgets_.sampled, spends}};
}

GeneratedCase CaseGenerator::draw(std::int64_t index) const {
  const auto at = static_cast<std::size_t>(index);
  if (at >= kPlanned) return unplanned(index);
  if (at < planned_until_) return planned_[at];  // planned cases do not change any more
  const std::lock_guard lock(planning_);
  while (planned_.size() <= at) plan_next();
  return planned_[at];
}

void CaseGenerator::plan(std::int64_t end) const try {
  const std::size_t most = std::min(static_cast<std::size_t>(end), kPlanned);
  const std::lock_guard lock(planning_);
  while (planned_.size() < most) plan_next();
} catch (const InputError&) {
  plan_fails_ = true;  // the draw of that case throws it again
}

std::int64_t CaseGenerator::planned() const {
  const std::size_t until = planned_until_;
  return until < kPlanned && !plan_fails_ ? static_cast<std::int64_t>(until)
                                          : std::numeric_limits<std::int64_t>::max();
}

Combinations CaseGenerator::combinations(std::int64_t cases) const {
  const std::lock_guard lock(planning_);
  const std::size_t planned = std::min(static_cast<std::size_t>(cases), kPlanned);
  while (planned_.size() < planned) plan_next();
  return covering().combinations();
}

/// The factors do not change: no thread waits for a plan.
Row CaseGenerator::levels(const Case& problem) const {
  if (const CoveringCases* plan = known_covering_) return plan->row(problem);
  const std::lock_guard lock(planning_);
  return covering().row(problem);
}

CoveringCases& CaseGenerator::covering() const {
  if (!covering_) {
    const auto sample = [&](std::uint64_t seed) {
      return sampler(mixed(seed_, seed), false).sample();
    };
    const auto project = [&](Case target, bool cheap) {
      return project_affordable(std::move(target),
                                cheap ? budgets_.covering : budgets_.covering_dear);
    };
    const double step = static_cast<double>(tiles_.tile[0] * tiles_.tile[1] * tiles_.tile[2]);
    const auto affordable = [&](const Cost& most) {
      return static_cast<std::int64_t>(most.work / std::max(step, least_.work));
    };
    covering_ = std::make_unique<CoveringCases>(
        contract_, tiles_,
        CheapTiles{affordable(budgets_.covering), affordable(budgets_.covering_dear)}, project,
        sample);
    known_covering_ = covering_.get();
  }
  return *covering_;
}

/// Projects a target onto the domain; empty if the result is too expensive.
std::optional<Case> CaseGenerator::project_affordable(Case target, const Cost& most) const {
  target = normalized(contract_, std::move(target));
  reset_invalid_strides(contract_, target);
  std::optional<Case> found = solver_.project(target);
  if (!found) return std::nullopt;
  const Cost needed = cost(tiles_, *found);
  if (needed.work > most.work || needed.elements > most.elements) return std::nullopt;
  const bool small = max_size_ == 0 || std::max({target.m, target.n, target.k}) <= max_size_;
  return small ? found : std::nullopt;
}

/// Chooses cases for the pairs until each pair is met, then two of four for the triples. The other
/// cases are random and meet combinations, too. A case for another purpose keeps the factors that
/// do not contradict it.
void CaseGenerator::plan_next() const {
  CoveringCases& plan = covering();
  const std::size_t index = planned_.size();
  std::optional<GeneratedCase> generated = extreme(index);
  if (!generated) {
    const bool spends = plan.pairs_complete() && plan.complete();
    generated = ordinary(mixed(seed_, static_cast<std::uint64_t>(index)), spends);
    if (auto chosen = covering_case(index, generated->problem)) {
      generated->problem = std::move(*chosen);
    }
    if (auto chosen = special(index, generated->problem)) generated->problem = std::move(*chosen);
    apply_launch(index, generated->problem);
    apply_structure(index, generated->problem);
  }
  plan.add(generated->problem);
  planned_.reserve(kPlanned);  // other threads read those that are published
  planned_.push_back(std::move(*generated));
  planned_until_ = planned_.size();
}

std::optional<Case> CaseGenerator::covering_case(std::size_t index, const Case& ordinary) const {
  CoveringCases& plan = covering();
  const bool turn = !plan.pairs_complete() || index / 2 % 2 == 0;
  const std::uint64_t seed = mixed(seed_, ~static_cast<std::uint64_t>(index));
  for (int i = 0; turn && i < kCombinations && !plan.complete(); ++i) {
    auto chosen = plan.next(ordinary, mixed(seed, static_cast<std::uint64_t>(i)));
    if (chosen) return chosen;
  }
  return std::nullopt;
}

/// Returns a case that exceeds a limit of the grid or has strides that overflow an int32, at their
/// places in each hundred.
std::optional<GeneratedCase> CaseGenerator::extreme(std::size_t index) const {
  const std::size_t in_round = index % kRound;
  const std::size_t number = in_round / kApart;
  const std::uint64_t seed = mixed(seed_, static_cast<std::uint64_t>(index));
  if (in_round % kApart == 0 && number > 0 && number <= grid_cases_.size()) {
    GeneratedCase generated{grid_cases_[number - 1], {}};
    generated.problem.seed = seed % 1'000'000;
    return generated;
  }
  if (in_round % kApart == kFirstOverflow && number < overflow_operands_.size()) {
    auto found =
        int32_overflow_strides(contract_, *sparse_solver_, overflow_operands_[number], seed);
    if (found) return GeneratedCase{normalized(contract_, std::move(*found)), {}};
  }
  return std::nullopt;
}

std::optional<Case> CaseGenerator::long_case(std::size_t index, const Case& ordinary) const {
  const auto slot = long_slot(index);
  const auto target = slot ? long_cases_.target(index / kRound, *slot) : std::nullopt;
  if (!target) return std::nullopt;
  Rng rng(mixed(seed_, ~static_cast<std::uint64_t>(index)));
  auto found = project_affordable(long_cases_.resized(ordinary, *target, rng),
                                  {kMostLongWork, kMostLongElements});
  if (!found || (*found).*kExtentFields.at(target->extent) != target->size) return std::nullopt;
  return found;
}

/// Returns a case with 2 x 2, 2 x 3 or 3 x 2 tiles and three or four steps along k, all of them
/// whole or the last ones partial.
std::optional<Case> CaseGenerator::deep_case(std::size_t index, const Case& ordinary) const {
  if (max_size_ != 0 || index % kRound % (2 * kApart) != kDeep) return std::nullopt;
  Rng rng(mixed(seed_, ~static_cast<std::uint64_t>(index)));
  const std::int64_t rows = rng.between(2, 3);
  const std::array<std::int64_t, 3> counts = {rows, rows == 2 ? rng.between(2, 3) : 2,
                                              rng.between(3, 4)};
  Case problem = ordinary;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::int64_t tile = tiles_.tile.at(i);
    const bool whole = tiles_.period.at(i) > 1 || rng.one_in(2);
    problem.*kExtentFields.at(i) = counts.at(i) * tile - (whole ? 0 : rng.between(1, tile - 1));
  }
  problem.batch = 1;
  return project_affordable(std::move(problem), budgets_.covering_dear);
}

/// Returns the case without rows or without columns, if it is in the domain.
std::optional<Case> CaseGenerator::empty_case(std::size_t index, const Case& ordinary) const {
  if (index % kRound != kEmpty) return std::nullopt;
  Case problem = ordinary;
  (mixed(seed_, index) % 2 == 0 ? problem.m : problem.n) = 0;
  reset_invalid_strides(contract_, problem);
  problem = normalized(contract_, std::move(problem));
  return solver_.admits(problem) ? std::optional(std::move(problem)) : std::nullopt;
}

/// Returns the case for a place in each hundred that is reserved for other purposes than covering
/// combinations.
std::optional<Case> CaseGenerator::special(std::size_t index, const Case& ordinary) const {
  if (auto found = empty_case(index, ordinary)) return found;
  if (auto found = deep_case(index, ordinary)) return found;
  return max_size_ == 0 ? long_case(index, ordinary) : std::nullopt;
}

GeneratedCase CaseGenerator::unplanned(std::int64_t index) const {
  const auto at = static_cast<std::size_t>(index);
  if (auto generated = extreme(at)) return *generated;
  GeneratedCase generated = ordinary(mixed(seed_, static_cast<std::uint64_t>(index)), false);
  if (auto found = special(at, generated.problem)) generated.problem = std::move(*found);
  apply_launch(at, generated.problem);
  apply_structure(at, generated.problem);
  return generated;
}

/// Gives the data a structure if it is the turn of one. Masks, which make rows of D NaN, and large
/// numbers show no more of a product than special and wide data. Atomic additions flush subnormal
/// numbers.
void CaseGenerator::apply_structure(std::size_t index, Case& problem) const {
  constexpr std::array<Recipe, 5> kStructures = {Recipe::zeros, Recipe::equal, Recipe::negative,
                                                 Recipe::dominant, Recipe::ordered};
  const std::size_t in_round = index % kRound;
  if (in_round % kApart != kStructured) return;
  const std::size_t number = index / kRound * (kRound / kApart) + in_round / kApart;
  problem.data = kStructures.at((seed_ + number) % kStructures.size());
}

/// Changes the case so that a launch applies to it, if it is the turn of one.
void CaseGenerator::apply_launch(std::size_t index, Case& problem) const {
  const auto is_affordable = [&](const Case& found) {
    const Cost needed = cost(tiles_, found);
    return needed.work <= kMostLongWork && needed.elements <= kMostLongElements &&
           solver_.admits(found);
  };
  if (launches_nothing(problem)) return;
  if (auto found = launch_cases_.near(index, problem, is_affordable)) problem = std::move(*found);
}

/// Projects a sampled case onto the domain. A relation between extents may turn a small target into
/// a large case; then halves the target.
std::optional<Case> CaseGenerator::project_within_budget(const CaseSampler& sampler,
                                                         Case target) const {
  constexpr int kHalvings = 6;
  sampler.shrink_to_budget(target, {solver_.least(0), solver_.least(1), solver_.least(2)});
  std::optional<Case> found;
  for (int i = 0; i < kHalvings; ++i) {
    reset_invalid_strides(contract_, target);
    found = solver_.project(target);
    if (!found || sampler.affordable(*found)) break;
    for (std::int64_t Case::*extent : {&Case::m, &Case::n, &Case::k}) {
      target.*extent = (target.*extent + 1) / 2;
    }
  }
  return found;
}

GeneratedCase CaseGenerator::ordinary(std::uint64_t seed, bool spends) const {
  constexpr std::uint64_t kAttempts = 4;
  GeneratedCase generated;
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    CaseSampler sampler = this->sampler(mixed(seed, attempt), spends);
    Case sampled = sampler.sample();
    const std::optional<std::string> broken = violated(contract_, sampled);
    if (attempt == 0) generated.excluded_by = broken;
    std::optional<Case> found = solver_.admits(sampled)
                                    ? std::move(sampled)
                                    : project_within_budget(sampler, std::move(sampled));
    if (!found) continue;
    generated.problem = std::move(*found);
    return generated;
  }
  throw_empty_domain(contract_, solver_.conflict());
}

/// Throws InputError if the limits of sizes leave only cases without rows or columns.
void CaseGenerator::require_a_case() const {
  if (least_case_ && !launches_nothing(*least_case_)) return;
  std::vector<CaseRule> rules = domain_rules(contract_, limits_);
  for (const char* extent : {"m", "n"}) {
    rules.push_back({contract::Expression::parse(fmt::format("{} >= 1", extent), contract_.where),
                     fmt::format("{} is at least 1 in a case that computes something", extent)});
  }
  const std::optional<Conflict> conflict = Solver(contract_, kMostOperandBytes, rules).conflict();
  const bool is_limited = conflict && std::any_of(rules.begin(), rules.end() - 2, [&](auto& rule) {
                            return std::find(conflict->rules.begin(), conflict->rules.end(),
                                             rule.text) != conflict->rules.end();
                          });
  if (is_limited) throw_empty_domain(contract_, conflict);
}

}  // namespace warpcheck::campaign::generate
