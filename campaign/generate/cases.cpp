#include "campaign/generate/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/covering/covering_cases.hpp"
#include "campaign/generate/empty_domain.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;

constexpr std::size_t kPlanned = 2000;  // cases among which some cover combinations
constexpr int kCombinations = 8;        // combinations tried for one case

}  // namespace

CaseGenerator::CaseGenerator(const Contract& contract, const CaseOptions& options)
    : CaseGenerator(contract, nullptr, options) {}

CaseGenerator::CaseGenerator(const contract::Variant& variant, const CaseOptions& options)
    : CaseGenerator(variant.contract, &variant, options) {}

CaseGenerator::CaseGenerator(const Contract& contract, const contract::Variant* variant,
                             const CaseOptions& options)
    : contract_(contract),
      seed_(mixed(options.seed, mixed(contract.name.size(), contract.name))),
      limits_(options.sizes),
      schema_(case_schema(contract)),
      tiles_(tiles(contract)),
      costs_(contract, schema_, tiles_),
      solver_(limited_solver(contract, options.sizes)),
      affordable_(costs_, solver_, options.max_size),
      least_case_(least_case()),
      least_(least_case_ ? costs_.cost(*least_case_) : Cost{}),
      budgets_(costs_.budgets(least_)),
      ordinary_(affordable_, least_case_.value_or(Case{})) {
  require_launches(contract);
  require_a_case();
  if (options.int32_overflow_strides && options.max_size == 0) {
    sparse_solver_.emplace(contract, static_cast<std::int64_t>(device::kMostBufferBytes),
                           domain_rules(contract, options.sizes));
  }
  special_.emplace(ordinary_.space(), sparse_solver_ ? &*sparse_solver_ : nullptr,
                   variant != nullptr ? landmarks(*variant, tiles_) : landmarks(contract, tiles_),
                   seed_);
}

CaseGenerator::~CaseGenerator() = default;

/// Returns the least case with positive extents, as far as the domain has such cases.
std::optional<Case> CaseGenerator::least_case() const {
  Case target;
  target.variant = contract_.name;
  return solver_.project(target);
}

GeneratedCase CaseGenerator::draw(std::int64_t index) const {
  const auto at = static_cast<std::size_t>(index);
  if (at >= kPlanned) return unplanned(at);
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
      return ordinary_.draw(mixed(seed_, seed), 0, false).sampled;
    };
    const auto project = [&](Case target, bool cheap) {
      return affordable_.near(std::move(target),
                              cheap ? budgets_.covering : budgets_.covering_dear);
    };
    const double step = std::max(costs_.work_of_tile(), least_.work);
    const auto tiles_within = [&](const Cost& most) {
      return static_cast<std::int64_t>(most.work / step);
    };
    covering_ = std::make_unique<CoveringCases>(
        costs_, CheapTiles{tiles_within(budgets_.covering), tiles_within(budgets_.covering_dear)},
        project, sample);
    known_covering_ = covering_.get();
  }
  return *covering_;
}

/// Chooses cases for the pairs until each pair is met, then two of four for the triples. The other
/// cases are random and meet combinations, too. A case for another purpose keeps the factors that
/// do not contradict it.
void CaseGenerator::plan_next() const {
  CoveringCases& plan = covering();
  const std::size_t index = planned_.size();
  GeneratedCase generated;
  if (auto extreme = special_->extreme(index)) {
    generated.problem = std::move(*extreme);
  } else {
    generated = ordinary(index, plan.pairs_complete() && plan.complete());
    if (auto chosen = covering_case(index, generated.problem)) {
      generated.problem = std::move(*chosen);
    }
    auto changed = special_->changed(index, generated.problem, budgets_.covering_dear);
    if (changed) generated.problem = std::move(*changed);
    special_->adapt(index, generated.problem);
  }
  plan.add(generated.problem);
  planned_.reserve(kPlanned);  // other threads read those that are published
  planned_.push_back(std::move(generated));
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

GeneratedCase CaseGenerator::unplanned(std::size_t index) const {
  if (auto extreme = special_->extreme(index)) return {std::move(*extreme), {}};
  GeneratedCase generated = ordinary(index, false);
  auto changed = special_->changed(index, generated.problem, budgets_.covering_dear);
  if (changed) generated.problem = std::move(*changed);
  special_->adapt(index, generated.problem);
  return generated;
}

GeneratedCase CaseGenerator::ordinary(std::size_t index, bool spends) const {
  const std::uint64_t seed = mixed(seed_, static_cast<std::uint64_t>(index));
  GeneratedCase generated;
  for (int attempt = 0; attempt < OrdinaryCases::kAttempts; ++attempt) {
    const std::uint64_t bits = mixed(seed, static_cast<std::uint64_t>(attempt));
    Sampled one = ordinary_.draw(bits, attempt, spends);
    if (attempt == 0) generated.excluded_by = violated(contract_, one.sampled);
    if (!one.found) continue;
    generated.problem = std::move(*one.found);
    return generated;
  }
  throw_empty_domain(contract_, solver_.conflict());
}

/// Throws InputError if the limits of sizes leave only cases for which nothing is launched.
void CaseGenerator::require_a_case() const {
  if (least_case_ && !launches_nothing(*least_case_)) return;
  std::vector<CaseRule> rules = domain_rules(contract_, limits_);
  const std::size_t limits = rules.size();
  for (const CaseField& field : schema_.fields) {
    if (!field.is_output_extent()) continue;
    rules.push_back(
        {contract::Expression::parse(fmt::format("{} >= 1", field.name), contract_.where),
         fmt::format("{} is at least 1 in a case that computes something", field.name)});
  }
  const std::optional<Conflict> conflict = Solver(contract_, kMostOperandBytes, rules).conflict();
  const bool is_limited =
      conflict && std::any_of(rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(limits),
                              [&](const CaseRule& rule) {
                                return std::find(conflict->rules.begin(), conflict->rules.end(),
                                                 rule.text) != conflict->rules.end();
                              });
  if (is_limited) throw_empty_domain(contract_, conflict);
}

}  // namespace warpcheck::campaign::generate
