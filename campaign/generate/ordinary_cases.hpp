// Sampled cases, from which all others are made.
#pragma once

#include <cstdint>
#include <optional>

#include "campaign/case/case.hpp"

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
  OrdinaryCases() = default;
  OrdinaryCases(const OrdinaryCases&) = delete;
  OrdinaryCases& operator=(const OrdinaryCases&) = delete;
  virtual ~OrdinaryCases() = default;

  /// Draws case number `index`, without regard to `requires`, and projects it. A later attempt may
  /// cost more. If it `spends`, the budget is the largest one.
  [[nodiscard]] virtual Sampled draw(std::int64_t index, std::uint64_t bits, int attempt,
                                     bool spends) const = 0;

  /// Returns the number of attempts after which the domain counts as empty.
  [[nodiscard]] virtual int attempts() const = 0;

  /// Returns true if the case is already directed at numbers of the contract.
  [[nodiscard]] virtual bool is_directed(std::int64_t index) const = 0;

  /// Returns true if long cases beside these find more.
  [[nodiscard]] virtual bool needs_long_cases() const = 0;
};

}  // namespace warpcheck::campaign::generate
