// From a wished-for case to the nearest one inside a contract's domain.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties::generate {

/// Finds cases by construction: the variables of `requires` are bound one after the other, each to
/// the value nearest to the wish that satisfies every conjunct whose other variables are bound,
/// with backtracking. Ties (m == n), pins (m == 4096), congruences (k % 24 == 0 and k >= 48),
/// leading dimensions and alignments come out of the same search.
class Solver {
 public:
  explicit Solver(const contract::Contract& contract);

  /// Inside the domain, with leading dimensions that the layout allows. Empty where the search,
  /// which is bounded, finds none.
  [[nodiscard]] std::optional<Case> nearest(const Case& wish) const;

  /// The least value of m, n or k (0, 1, 2) that the conjuncts about it alone allow; 0 if none is.
  [[nodiscard]] std::int64_t least(std::size_t extent) const;

 private:
  struct Conjunct {
    contract::Expression expression;
    std::set<std::size_t> variables;
  };
  struct Search;

  [[nodiscard]] std::vector<std::int64_t> candidates(const Case& problem, std::size_t variable,
                                                     bool constrained) const;
  [[nodiscard]] bool holds(const Case& problem, const std::vector<std::size_t>& conjuncts) const;
  [[nodiscard]] bool bind(Search& search, std::size_t level) const;

  const contract::Contract& contract_;
  std::vector<Conjunct> conjuncts_;
  std::vector<std::size_t> order_;                   // of variables
  std::vector<std::vector<std::size_t>> completed_;  // per level: conjuncts bound there at last
  std::set<std::int64_t> literals_;
};

}  // namespace warpcheck::properties::generate
