// The numbers of a contract of an operation of the language, and the costs of its cases.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

inline constexpr std::int64_t kMostTensorLandmark = 8192;

class TensorDomain {
 public:
  /// Refers to the contract.
  explicit TensorDomain(const contract::Contract& contract);

  /// Numbers of the contract from 2 on, ascending: sizes at which the kernel may act differently.
  [[nodiscard]] const std::vector<std::int64_t>& landmarks() const { return landmarks_; }

  /// A case with extents as equal as the domain allows, of about `work` steps at most; empty if the
  /// search finds none.
  [[nodiscard]] std::optional<Case> even_case(const Solver& solver, double work) const;

  /// True if the case takes at most `budget` steps, and little memory.
  [[nodiscard]] bool is_affordable(const Case& problem, double budget) const;

 private:
  const contract::Contract& contract_;
  std::vector<std::int64_t> landmarks_;
};

}  // namespace warpcheck::campaign::generate
