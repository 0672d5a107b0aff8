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

/// Pure functions of the bits.
class OrdinaryCases {
 public:
  /// After so many attempts the domain counts as empty.
  static constexpr int kAttempts = 24;

  /// Refers to the cases. The least case is one of the domain that is not empty.
  OrdinaryCases(const AffordableCases& cases, const Case& least) : space_(cases, least) {}

  /// Draws a case without regard to `requires`, and projects it. A later attempt may cost more. If
  /// it `spends`, the budget is the largest one.
  [[nodiscard]] Sampled draw(std::uint64_t bits, int attempt, bool spends) const;

  [[nodiscard]] const SampleSpace& space() const { return space_; }

 private:
  [[nodiscard]] std::optional<Case> near(Case target, const Cost& most) const;

  SampleSpace space_;
};

}  // namespace warpcheck::campaign::generate
