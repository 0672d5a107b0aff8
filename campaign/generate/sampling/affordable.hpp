// The cases of a domain that cost little enough.
#pragma once

#include <cstdint>
#include <optional>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/solver.hpp"

namespace warpcheck::campaign::generate {

/// A domain, what its cases cost, and the largest extent that they may have; 0: no limit. Refers to
/// its arguments.
class AffordableCases {
 public:
  AffordableCases(const CostModel& costs, const Solver& solver, std::int64_t max_size)
      : costs_(costs), solver_(solver), max_size_(max_size) {}

  /// Projects a target onto the domain; empty if the result costs more.
  [[nodiscard]] std::optional<Case> near(Case target, const Cost& most) const;

  [[nodiscard]] const CostModel& costs() const { return costs_; }
  [[nodiscard]] const Solver& solver() const { return solver_; }
  [[nodiscard]] std::int64_t max_size() const { return max_size_; }

 private:
  const CostModel& costs_;
  const Solver& solver_;
  std::int64_t max_size_;
};

}  // namespace warpcheck::campaign::generate
