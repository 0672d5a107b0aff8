#include "properties/generate/sampling/solver.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "properties/case/domain.hpp"
#include "properties/case/normalized.hpp"
#include "properties/generate/sampling/search_variables.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::Contract;
using Kind = SearchVariable::Kind;

constexpr std::int64_t kScan = 4096;  // distance from the target up to which every value is tried
constexpr std::size_t kBranches = 6;  // values of a variable tried before an earlier one changes
constexpr std::int64_t kSteps = 200'000;   // evaluations of one search
constexpr std::int64_t kMostOffset = 256;  // a larger one repeats the alignment of a smaller one

}  // namespace

struct Solver::Search {
  Case problem;
  const Case& target;
  std::int64_t steps_left = kSteps;
};

Solver::Solver(const Contract& contract) : contract_(contract), strides_(stride_fields(contract)) {
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      Conjunct entry{conjunct, {}};
      for (const std::string& name : conjunct.names()) {
        entry.variables.merge(variables_of(contract, name));
      }
      for (const std::int64_t literal : conjunct.literals()) literals_.insert(literal);
      conjuncts_.push_back(std::move(entry));
    }
  }
  order_variables();
}

/// Orders the variables so that the next one completes most conjuncts: constants come before the
/// variables that are equal to them.
void Solver::order_variables() {
  std::set<std::size_t> bound;
  while (order_.size() < kSearchVariables.size()) {
    std::optional<std::size_t> best;
    std::vector<std::size_t> best_completes;
    for (std::size_t variable = 0; variable < kSearchVariables.size(); ++variable) {
      if (bound.contains(variable)) continue;
      const int phase = kSearchVariables[variable].phase();
      const int best_phase = best ? kSearchVariables[*best].phase() : phase;
      if (phase > best_phase) continue;
      std::vector<std::size_t> completes = completed_by(variable, bound);
      if (!best || phase < best_phase || completes.size() > best_completes.size()) {
        best = variable;
        best_completes = std::move(completes);
      }
    }
    bound.insert(*best);
    order_.push_back(*best);
    completed_.push_back(std::move(best_completes));
  }
}

/// Returns the conjuncts whose variables are all bound once this one is.
std::vector<std::size_t> Solver::completed_by(std::size_t variable,
                                              const std::set<std::size_t>& bound) const {
  std::vector<std::size_t> completed;
  for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
    const std::set<std::size_t>& needs = conjuncts_[i].variables;
    const bool needed = needs.contains(variable) || (needs.empty() && bound.empty());
    if (needed && std::all_of(needs.begin(), needs.end(), [&](std::size_t other) {
          return other == variable || bound.contains(other);
        })) {
      completed.push_back(i);
    }
  }
  return completed;
}

bool Solver::holds(const Case& problem, const std::vector<std::size_t>& conjuncts) const {
  const contract::Bindings names = bindings(contract_, problem);
  return std::all_of(conjuncts.begin(), conjuncts.end(), [&](std::size_t i) {
    return conjuncts_[i].expression.evaluate(names).value_or(0) != 0;
  });
}

std::int64_t Solver::least_candidate(const Case& problem, std::size_t variable) const {
  switch (kSearchVariables[variable].kind) {
    case Kind::factor:
      return -kScan;
    case Kind::batch:
      return 1;
    case Kind::leading_dimension:
    case Kind::batch_stride:
      for (const StrideField& stride : strides_) {
        if (variable_of(stride.field) == variable) return stride.tight(contract_, problem);
      }
      return 0;
    default:
      return 0;
  }
}

/// Returns the values to try, the nearest to the target first. After the scan come the literals of
/// the contract and the values that are already bound, for constants and equalities far away.
std::vector<std::int64_t> Solver::candidates(const Case& problem, std::size_t variable,
                                             bool constrained) const {
  const SearchVariable& searched = kSearchVariables[variable];
  if (searched.kind == Kind::transposition) {
    const std::int64_t target = searched.get(problem);
    return {target, 1 - target};
  }
  const std::int64_t least = least_candidate(problem, variable);
  const std::int64_t target = std::max(searched.get(problem), least);
  std::vector<std::int64_t> values{target};
  for (std::int64_t i = 1; i <= (constrained ? kScan : std::int64_t{kBranches}); ++i) {
    if (target - i >= least) values.push_back(target - i);
    values.push_back(target + i);
  }
  if (!constrained) return values;
  std::vector<std::int64_t> distant(literals_.begin(), literals_.end());
  for (const SearchVariable& other : kSearchVariables) {
    if (other.kind == Kind::extent || other.kind == Kind::leading_dimension ||
        other.kind == Kind::batch_stride) {
      distant.push_back(other.get(problem));
    }
  }
  std::erase_if(distant, [&](std::int64_t value) {
    return value < least || (value >= target - kScan && value <= target + kScan);
  });
  std::sort(distant.begin(), distant.end());
  values.insert(values.end(), distant.begin(), distant.end());
  return values;
}

bool Solver::bind(Search& search, std::size_t level) const {
  if (level == order_.size()) return true;
  const SearchVariable& variable = kSearchVariables[order_[level]];
  const std::vector<std::size_t>& decides = completed_[level];
  // An unconstrained factor keeps its value, which need not be a whole number.
  if (variable.kind == Kind::factor && decides.empty()) return bind(search, level + 1);
  variable.set(search.problem, variable.get(search.target));
  const std::int64_t most_offset = std::max(kMostOffset, variable.get(search.target));
  std::size_t branches = 0;
  for (const std::int64_t value : candidates(search.problem, order_[level], !decides.empty())) {
    if (branches == kBranches || --search.steps_left < 0) return false;
    if (variable.kind == Kind::offset && value > most_offset) continue;
    variable.set(search.problem, value);
    if (!holds(search.problem, decides)) continue;
    ++branches;
    if (bind(search, level + 1)) return true;
  }
  return false;
}

std::optional<Case> Solver::project(const Case& target) const {
  Search search{target, target};
  if (!bind(search, 0)) return std::nullopt;
  return normalized(contract_, search.problem);  // a stride that no argument takes is tight
}

std::int64_t Solver::least(std::int64_t Case::*extent) const {
  const std::size_t variable = variable_of(extent);
  std::vector<std::size_t> alone;
  for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
    if (conjuncts_[i].variables == std::set<std::size_t>{variable}) alone.push_back(i);
  }
  if (alone.empty()) return 0;
  Case problem;
  problem.*extent = 0;
  for (const std::int64_t value : candidates(problem, variable, true)) {
    problem.*extent = value;
    if (holds(problem, alone)) return value;
  }
  return 0;
}

}  // namespace warpcheck::properties::generate
