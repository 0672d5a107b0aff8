// Projects a case onto the domain of a contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/constraints/constraint_system.hpp"
#include "campaign/generate/constraints/domain_rules.hpp"
#include "campaign/generate/constraints/nearest_search.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// The largest operand of a generated case.
inline constexpr std::int64_t kMostOperandBytes = std::int64_t{1} << 30;

/// Conditions that no case satisfies together. If one of them is left out, the search finds a case,
/// or no proof that there is none.
struct Conflict {
  std::vector<contract::Expression> conjuncts;  // conjuncts of `requires`
  std::vector<std::string> rules;               // rules of the layout, and further rules
};

/// Finds cases of a domain by construction. A search binds one variable after the other, each to
/// the value nearest to the target that the other constraints leave. The constraints are the
/// conjuncts of `requires` and the rules of the layout. They narrow an interval and a congruence
/// for each variable. Refers to the contract.
class Solver {
 public:
  /// Cases in which an operand takes more than `most_bytes` are outside the domain, and so are
  /// those that break one of the `rules`.
  explicit Solver(const contract::Contract& contract, std::int64_t most_bytes = kMostOperandBytes,
                  std::vector<CaseRule> rules = {});
  Solver(Solver&&) = default;
  Solver(const Solver&) = delete;  // the system refers to the constraints
  Solver& operator=(Solver&&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() = default;

  /// Returns a case in the domain, near to the target, with the target's data, seed and property.
  /// An extent becomes 0, which exercises nothing, only if it is 0 in the target or has to be.
  /// Returns the normalized target if it is in the domain. Empty only if the search, which is
  /// bounded, finds no case at all.
  [[nodiscard]] std::optional<Case> project(const Case& target) const;

  /// Returns true if `requires`, the rules of the layout and the further rules hold.
  [[nodiscard]] bool admits(const Case& problem) const;

  /// Returns the least value of an extent that the conjuncts about it alone allow; 0 if none is.
  [[nodiscard]] std::int64_t least(std::size_t field) const;

  [[nodiscard]] const contract::Contract& contract() const { return contract_; }
  [[nodiscard]] const CaseSchema& schema() const { return schema_; }

  /// Returns conditions that contradict one another; empty if a case exists or if the search proves
  /// no contradiction.
  [[nodiscard]] std::optional<Conflict> conflict() const;

 private:
  using Numbers = std::vector<std::size_t>;  // numbers of constraints or of variables

  [[nodiscard]] ConstraintSystem system_of(const Numbers& numbers) const;
  [[nodiscard]] Numbers order_of(const ConstraintSystem& system) const;
  [[nodiscard]] std::size_t completed_by(std::size_t variable,
                                         const std::vector<char>& bound) const;
  [[nodiscard]] std::optional<Case> searched(const Case& target, const SearchLimits& limits,
                                             bool positive) const;
  [[nodiscard]] Case with_values(Case problem, const Values& values) const;
  [[nodiscard]] Case with_factors_of(const Case& target, Case found) const;
  [[nodiscard]] Case with_fields_of_witness(Case target) const;
  [[nodiscard]] bool is_contradiction(const Numbers& numbers) const;
  [[nodiscard]] std::int64_t least_of(std::size_t variable) const;
  void find_witness();

  const contract::Contract& contract_;
  std::int64_t most_bytes_;
  CaseSchema schema_;
  std::vector<CaseRule> rules_;
  Domains initial_;
  std::vector<contract::Expression> conjuncts_;
  std::vector<Constraint> constraints_;
  ConstraintSystem system_;
  Numbers order_;                    // the constrained variables, in the order of the search
  std::vector<std::int64_t> least_;  // 0 for a field that is no extent
  std::optional<Case> witness_;      // a case in the domain
};

/// Returns the solver for generated cases of the usual sizes. Refers to the contract.
[[nodiscard]] inline Solver limited_solver(const contract::Contract& contract,
                                           const SizeLimits& sizes = {}) {
  return Solver(contract, kMostOperandBytes, domain_rules(contract, sizes));
}

}  // namespace warpcheck::campaign::generate
