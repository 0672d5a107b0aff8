// Where two contracts of one operation meet: the cases that lie in both domains, and operands that
// both can hold.
#pragma once

#include <string>
#include <vector>

#include "kernels/contract/contract.hpp"
#include "properties/case.hpp"
#include "properties/problem.hpp"

namespace warpcheck::properties {

class JointDomain {
 public:
  /// Throws InputError, located at the second contract, where the two claim different things: other
  /// operations, a bias in one alone, types that share no values.
  JointDomain(const kernels::Contract& one, const kernels::Contract& other);

  /// The first contract with the requirements of both, and without the arguments that but one of
  /// them takes: for drawing and shrinking, not for launching. Not every case that it allows lies
  /// in both domains where their layouts or types differ.
  [[nodiscard]] const kernels::Contract& contract() const { return joint_; }

  /// Whether both domains hold the case, and both kernels are handed all of it.
  [[nodiscard]] bool contains(const Case& problem) const;

  /// The values of A, B, C and the bias for both: the case's own where the types are the same.
  [[nodiscard]] Operands operands(const Case& problem) const;

  /// Whether a case means the same values when it is asked of either contract alone.
  [[nodiscard]] bool same_values() const { return same_values_; }

  /// In what the contracts differ, each a sentence without its period, for a person who compares
  /// the results.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void join_types(const kernels::Contract& other);

  const kernels::Contract& one_;
  const kernels::Contract& other_;
  kernels::Contract joint_;
  bool same_values_ = true;
  std::vector<std::string> remarks_;
};

/// The case as a contract names and normalizes it.
[[nodiscard]] Case asked_of(const kernels::Contract& contract, Case problem);

}  // namespace warpcheck::properties
