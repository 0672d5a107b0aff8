// Domains as text, and kernels that are correct exactly there. Nothing here uses explore's own
// conditions: the expressions of the contract decide.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "workflows/explore/vocabulary.hpp"

namespace warpcheck::workflows::explore::testing {

/// Returns the contract of a product with leading dimensions, alpha and beta, without `requires`.
[[nodiscard]] const contract::Contract& full_contract();

/// Returns true if every expression holds for the case.
[[nodiscard]] bool holds_all(const contract::Contract& contract,
                             const std::vector<std::string>& expressions,
                             const campaign::Case& problem);

/// Returns a function that passes exactly the cases for which every expression holds. `exempt`: an
/// expression of cases that pass anyway.
[[nodiscard]] TrialFunction correct_where(const contract::Contract& contract,
                                          std::vector<std::string> expressions,
                                          std::string exempt = "");

/// A random domain, and how to bring a case nearer to it.
class RandomDomain {
 public:
  explicit RandomDomain(std::uint64_t seed);

  [[nodiscard]] const std::vector<std::string>& expressions() const { return expressions_; }

  /// Returns a random case. About half of them are in the domain, the others near it.
  [[nodiscard]] campaign::Case sample(std::uint64_t seed) const;

 private:
  struct Part;
  void add(const Part& part);

  std::vector<std::string> expressions_;
  std::vector<std::function<void(campaign::Case&, std::uint64_t)>> moves_;
};

}  // namespace warpcheck::workflows::explore::testing
