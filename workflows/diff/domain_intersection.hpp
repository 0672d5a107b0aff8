// Where two contracts of one operation meet: the cases that lie in both domains, and operands that
// both can hold.
#pragma once

#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/run/problem.hpp"

namespace warpcheck::workflows::diff {

class DomainIntersection {
 public:
  /// Throws InputError, located at the second contract, where the two claim different things: other
  /// operations, a bias in one alone, types that share no values.
  DomainIntersection(const contract::Contract& one, const contract::Contract& other);

  /// The first contract with the requirements of both, and without the arguments that but one of
  /// them takes: for drawing and shrinking, not for launching. Not every case that it allows lies
  /// in both domains where their layouts or types differ.
  [[nodiscard]] const contract::Contract& contract() const { return joint_; }

  /// Whether both domains hold the case, and both kernels are handed all of it.
  [[nodiscard]] bool contains(const properties::Case& problem) const;

  /// The values of A, B, C and the bias for both: the case's own where the types are the same.
  [[nodiscard]] properties::run::Operands operands(const properties::Case& problem) const;

  /// Whether a case means the same values when it is asked of either contract alone.
  [[nodiscard]] bool same_values() const { return same_values_; }

  /// In what the contracts differ, each a sentence without its period, for a person who compares
  /// the results.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void join_types(const contract::Contract& other);

  const contract::Contract& one_;
  const contract::Contract& other_;
  contract::Contract joint_;
  bool same_values_ = true;
  std::vector<std::string> remarks_;
};

/// The case as a contract names and normalizes it.
[[nodiscard]] properties::Case normalized_for(const contract::Contract& contract,
                                              properties::Case problem);

}  // namespace warpcheck::workflows::diff
