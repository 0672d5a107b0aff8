// Sampled cases, from which all others are made.
#pragma once

#include <cstdint>
#include <optional>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/case_sampler.hpp"

namespace warpcheck::campaign::generate {

/// A sampled case, and what the projection onto the domain makes of it; empty if that is nothing,
/// or costs too much.
struct Sampled {
  Case sampled;
  std::optional<Case> found;
};

/// Pure functions of the bits and the number of the case.
class OrdinaryCases {
 public:
  /// After so many attempts the domain counts as empty.
  static constexpr int kAttempts = 24;

  /// Refers to the cases. The least case is one of the domain that is not empty.
  OrdinaryCases(const AffordableCases& cases, const Case& least) : space_(cases, least) {}

  /// Draws case number `index`, without regard to `requires`, and projects it. A later attempt may
  /// cost more. If it `spends`, the budget is the largest one.
  [[nodiscard]] Sampled draw(std::int64_t index, std::uint64_t bits, int attempt,
                             bool spends) const;

  /// Returns true if the case is directed at numbers of the contract.
  [[nodiscard]] bool is_directed(std::int64_t index) const;

 private:
  [[nodiscard]] std::optional<Case> near(Case target, const Cost& most, bool may_shrink) const;

  SampleSpace space_;
};

}  // namespace warpcheck::campaign::generate
