#include "campaign/generate/sampling/solver.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/constraints/domain_constraints.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using Kind = CaseField::Kind;

// A search that finds nothing is repeated with more branches.
constexpr std::array<SearchLimits, 2> kLimits = {{{2'000, 4}, {10'000, 32}}};
constexpr SearchLimits kUnlimitedBranches = {100'000, std::size_t{1} << 60};

std::vector<contract::Expression> conjuncts_of(const Contract& contract) {
  std::vector<contract::Expression> all;
  for (const contract::Expression& requirement : contract.requires_) {
    for (contract::Expression& conjunct : requirement.conjuncts()) {
      if (conjunct.root() != nullptr) all.push_back(std::move(conjunct));
    }
  }
  return all;
}

Values values_of(const CaseSchema& schema, const Case& problem) {
  Values values;
  for (const CaseField& field : schema.fields) values.push_back(field.get(problem));
  return values;
}

/// Orders and extents are bound before leading dimensions, which depend on them, and these
/// before strides.
constexpr int kPhases = 4;
int phase_of(Kind kind) {
  if (kind == Kind::transposition || kind == Kind::order) return 0;
  if (kind == Kind::extent) return 1;
  return kind == Kind::batch_stride ? 3 : 2;
}

std::vector<std::size_t> numbers_below(std::size_t end) {
  std::vector<std::size_t> numbers(end);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

Solver::Solver(const Contract& contract, std::int64_t most_bytes, std::vector<CaseRule> rules)
    : contract_(contract),
      most_bytes_(most_bytes),
      schema_(case_schema(contract)),
      rules_(std::move(rules)),
      initial_(initial_domains(schema_)),
      conjuncts_(conjuncts_of(contract)),
      constraints_(domain_constraints(contract, schema_, most_bytes, rules_)),
      system_(system_of(numbers_below(constraints_.size()))),
      order_(order_of(system_)) {
  least_.resize(schema_.fields.size());
  for (const std::size_t extent : schema_.fields_of_kind(Kind::extent))
    least_[extent] = least_of(extent);
  find_witness();
}

ConstraintSystem Solver::system_of(const Numbers& numbers) const {
  std::vector<const Constraint*> constraints;
  for (const std::size_t number : numbers) constraints.push_back(&constraints_[number]);
  return {std::move(constraints), initial_};
}

/// Orders the variables so that the next one completes most conjuncts: constants come before the
/// variables that are equal to them. Variables without a constraint keep their values.
Solver::Numbers Solver::order_of(const ConstraintSystem& system) const {
  std::vector<char> bound(schema_.fields.size(), 0);
  Numbers order;
  for (int phase = 0; phase < kPhases; ++phase) {
    while (true) {
      std::optional<std::size_t> best;
      std::size_t most = 0;
      for (std::size_t variable = 0; variable < bound.size(); ++variable) {
        if (bound[variable] != 0 || phase_of(schema_.fields[variable].kind) != phase) continue;
        const std::size_t completed = completed_by(variable, bound);
        if (best && completed <= most) continue;
        best = variable;
        most = completed;
      }
      if (!best) break;
      bound[*best] = 1;
      if (system.is_constrained(*best)) order.push_back(*best);
    }
  }
  return order;
}

/// Returns the number of conjuncts whose variables are all bound once this one is.
std::size_t Solver::completed_by(std::size_t variable, const std::vector<char>& bound) const {
  return static_cast<std::size_t>(
      std::count_if(constraints_.begin(), constraints_.end(), [&](const Constraint& constraint) {
        const auto& needs = constraint.variables;
        return constraint.conjunct &&
               std::find(needs.begin(), needs.end(), variable) != needs.end() &&
               std::all_of(needs.begin(), needs.end(), [&](std::size_t other) {
                 return other == variable || bound[other] != 0;
               });
      }));
}

bool Solver::admits(const Case& problem) const {
  return fits(contract_, problem, static_cast<std::size_t>(most_bytes_)) &&
         !violated(contract_, problem) && satisfies(contract_, rules_, problem);
}

Case Solver::with_values(Case problem, const Values& values) const {
  for (const std::size_t field : order_) schema_.fields[field].set(problem, values[field]);
  return normalized(contract_, std::move(problem));  // a tight stride is 0
}

/// Restores factors, which need not be whole numbers, if the domain allows it.
Case Solver::with_factors_of(const Case& target, Case found) const {
  for (const CaseField& factor : schema_.fields) {
    if (factor.kind != Kind::factor || factor.number(found) == factor.number(target)) continue;
    Case restored = found;
    factor.set_number(restored, factor.number(target));
    if (admits(restored)) found = std::move(restored);
  }
  return found;
}

std::optional<Case> Solver::searched(const Case& target, const SearchLimits& limits,
                                     bool positive) const {
  const auto accepts = [&](const Values& values) { return admits(with_values(target, values)); };
  SearchTarget goal{values_of(schema_, target)};
  for (const std::size_t extent : schema_.fields_of_kind(Kind::extent)) {
    if (positive && goal.values[extent] > 0) goal.positive.push_back(extent);
  }
  const SearchResult result = search_nearest(system_, order_, goal, limits, accepts);
  if (!result.values) return std::nullopt;
  return with_factors_of(target, with_values(target, *result.values));
}

/// Finds a case of the domain with all the effort that a search may take.
void Solver::find_witness() {
  if (is_contradiction(numbers_below(constraints_.size()))) return;
  for (const std::int64_t size : {64, 1, 1024}) {
    Case target;
    target.variant = contract_.name;
    schema_.set_extents(target, size);
    for (const SearchLimits& limits : {kLimits.back(), kUnlimitedBranches}) {
      for (const bool positive : {true, false}) {
        if (!witness_) witness_ = searched(normalized(contract_, target), limits, positive);
      }
    }
    if (witness_) return;
  }
}

/// Returns the witness with the target's data, seed and property.
Case Solver::with_fields_of_witness(Case target) const {
  for (std::size_t i = 0; i < schema_.fields.size(); ++i) {
    const CaseField& field = schema_.fields[i];
    if (field.kind != Kind::factor || system_.is_constrained(i)) {
      field.set_number(target, field.number(*witness_));
    }
  }
  return normalized(contract_, std::move(target));
}

std::optional<Case> Solver::project(const Case& target) const {
  if (!witness_) return std::nullopt;
  const Case goal = normalized(contract_, target);
  if (admits(goal)) return goal;
  for (const SearchLimits& limits : kLimits) {
    for (const bool positive : {true, false}) {
      if (auto found = searched(goal, limits, positive)) return found;
    }
  }
  return with_factors_of(goal, with_fields_of_witness(goal));
}

std::int64_t Solver::least(std::size_t field) const { return least_[field]; }

std::int64_t Solver::least_of(std::size_t variable) const {
  Numbers alone;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& constraint = constraints_[i];
    if (constraint.conjunct && constraint.variables == Numbers{variable}) alone.push_back(i);
  }
  if (alone.empty()) return 0;
  const SearchResult result =
      search_nearest(system_of(alone), {variable}, {Values(initial_.size())}, kLimits.back(),
                     [](const Values&) { return true; });
  return result.values ? (*result.values)[variable] : 0;
}

bool Solver::is_contradiction(const Numbers& numbers) const {
  const ConstraintSystem system = system_of(numbers);
  if (system.is_contradictory()) return true;
  return search_nearest(system, order_of(system), {Values(initial_.size())}, kUnlimitedBranches,
                        [](const Values&) { return true; })
      .exhausted;
}

std::optional<Conflict> Solver::conflict() const {
  if (witness_) return std::nullopt;
  Numbers numbers = numbers_below(constraints_.size());
  if (!is_contradiction(numbers)) return std::nullopt;
  // Rules are the last constraints, and are left out first: a conflict of conjuncts alone is
  // clearer.
  for (std::size_t i = constraints_.size(); i-- > 0;) {
    Numbers fewer = numbers;
    std::erase(fewer, i);
    if (is_contradiction(fewer)) numbers = std::move(fewer);
  }
  Conflict conflict;
  for (const std::size_t number : numbers) {
    const Constraint& constraint = constraints_[number];
    if (constraint.conjunct) {
      conflict.conjuncts.push_back(conjuncts_[*constraint.conjunct]);
    } else {
      conflict.rules.push_back(constraint.text);
    }
  }
  return conflict;
}

}  // namespace warpcheck::campaign::generate
