#include "proof/solve/solver.hpp"

#include <algorithm>

namespace warpcheck::proof {

Satisfiability Solver::check(const std::vector<Formula>& formulas, Effort effort) {
  const Search found = run(formulas, Products::free, effort);
  const bool is_decided = found.result == Satisfiability::impossible || !found.has_products;
  if (is_decided || effort == Effort::thorough) return found.result;
  for (const Products products : {Products::multiplied, Products::extended}) {
    const Satisfiability again = run(formulas, products, effort).result;
    if (again == Satisfiability::impossible) return again;
  }
  return found.result;
}

Solver::Search Solver::find(const std::vector<Formula>& formulas, Effort effort) {
  return run(formulas, Products::exact, effort);
}

bool Solver::implies(const std::vector<Formula>& conditions, Formula formula, Effort effort) {
  if (formula == kTrue) return true;
  if (std::find(conditions.begin(), conditions.end(), formula) != conditions.end()) return true;
  const auto key = std::make_pair(conditions, formula);
  if (const auto known = implied_.find(key); known != implied_.end()) return known->second;
  std::vector<Formula> all = conditions;
  all.push_back(terms_.negate(formula));
  const bool result = check(all, effort) == Satisfiability::impossible;
  implied_.emplace(key, result);
  return result;
}

}  // namespace warpcheck::proof
