// The common domain of two contracts of one operation: the cases that lie in both domains, and
// operands that both can hold.
#pragma once

#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/run/problem.hpp"
#include "contract/contract.hpp"
#include "workflows/diff/joined_types.hpp"

namespace warpcheck::workflows::diff {

class DomainIntersection {
 public:
  /// Throws InputError, located at the second contract, if the contracts differ in the operation,
  /// or only in its definition, only one of them has a bias, or their types share no values.
  DomainIntersection(const contract::Contract& one, const contract::Contract& other);

  /// The first contract with the requirements of both, and without the arguments that only one of
  /// them takes. It serves for generating and shrinking cases, not for launching. If the layouts or
  /// types differ, some cases that it allows lie outside one of the domains.
  [[nodiscard]] const contract::Contract& contract() const { return types_.joint; }

  /// True if both domains contain the case, and both kernels take all its arguments.
  [[nodiscard]] bool contains(const campaign::Case& problem) const;

  /// The values of the operands for both: the case's own where the types are the same.
  [[nodiscard]] campaign::run::Operands operands(const campaign::Case& problem) const;

  /// True if a case has the same operand values under each contract alone.
  [[nodiscard]] bool same_values() const { return types_.same_values; }

  /// The differences of the contracts, for a user who compares the results. Each is a sentence
  /// without its period.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return types_.remarks; }

 private:
  JoinedTypes types_;
};

/// The case as a contract names and normalizes it.
[[nodiscard]] campaign::Case normalized_for(const contract::Contract& contract,
                                            campaign::Case problem);

}  // namespace warpcheck::workflows::diff
