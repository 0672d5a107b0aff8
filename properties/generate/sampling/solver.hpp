// Projects a case onto the domain of a contract.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/case/operand.hpp"

namespace warpcheck::properties::generate {

/// Finds cases by construction. The search binds the variables of `requires` one after the other,
/// each to the value nearest to the target that satisfies every conjunct whose other variables are
/// bound, and backtracks. It satisfies equalities between fields (m == n), constants (m == 4096),
/// congruences (k % 24 == 0 and k >= 48), leading dimensions and alignments.
class Solver {
 public:
  explicit Solver(const contract::Contract& contract);

  /// Returns the case in the domain that is nearest to the normalized target, with strides that the
  /// layout allows. Empty if the search, which is bounded, finds none.
  [[nodiscard]] std::optional<Case> project(const Case& target) const;

  /// Returns the least value of an extent (m, n or k) that the conjuncts about it alone allow; 0 if
  /// none is.
  [[nodiscard]] std::int64_t least(std::int64_t Case::*extent) const;

 private:
  struct Conjunct {
    contract::Expression expression;
    std::set<std::size_t> variables;
  };
  struct Search;

  void order_variables();
  [[nodiscard]] std::vector<std::size_t> completed_by(std::size_t variable,
                                                      const std::set<std::size_t>& bound) const;
  [[nodiscard]] std::int64_t least_candidate(const Case& problem, std::size_t variable) const;
  [[nodiscard]] std::vector<std::int64_t> candidates(const Case& problem, std::size_t variable,
                                                     bool constrained) const;
  [[nodiscard]] bool holds(const Case& problem, const std::vector<std::size_t>& conjuncts) const;
  [[nodiscard]] bool bind(Search& search, std::size_t level) const;

  const contract::Contract& contract_;
  std::array<StrideField, 6> strides_;
  std::vector<Conjunct> conjuncts_;
  std::vector<std::size_t> order_;                   // of kSearchVariables
  std::vector<std::vector<std::size_t>> completed_;  // per level: conjuncts with no variable left
  std::set<std::int64_t> literals_;
};

}  // namespace warpcheck::properties::generate
